import { Field, McpServer, RequestContext, Tool, type Constructor, type ElicitedUrl, type FormSchema } from '@org/mcp-decorators';
import { connect, eachTransport, ERAS, type Era, type PageRequest } from '@org/mcp-testing';
import { IsBoolean, IsIn, IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { compiledProgram } from '../../support/compiled-program.ts';
import { errorListener } from '../../support/recorders.ts';
import { AskingServer } from './asking-server.ts';

const CASES = eachTransport({
  server: () => new AskingServer(),
  program: () => compiledProgram(new URL('asking-program.ts', import.meta.url)),
});

const REFUSALS: Readonly<Record<Era, RegExp>> = {
  legacy: /CLIENT_CAPABILITY_REQUIRED: this operation needs URL elicitation, which the client does not support$/,
  modern: /^Cannot request input 'login' .*the required capability/,
};

describe.each(CASES)('a method that requests to open a page, over $name,', ({ connect: join, era }) => {
  it('receives the same identifier for its URL in all rounds, and continues with another question', async () => {
    const pages: PageRequest[] = [];
    await using session = await join({
      answers: {
        page: (asked) => {
          pages.push(asked);
          return 'accept';
        },
        elicitation: { name: 'Ada' },
      },
    });
    const [action, id, name] = JSON.parse(await session.text('login'));
    expect([action, name]).toEqual(['accept', 'Ada']);
    expect(pages).toEqual([
      {
        message: 'Log in there.',
        url: `https://login.example/?question=${id}`,
        elicitationId: era === 'legacy' ? id : undefined,
      },
    ]);
  });

  it('fails with a capability error if the client supports forms only', async () => {
    await using session = await join({ answers: { elicitation: {} } });
    await expect(session.text('login')).rejects.toThrow(REFUSALS[era]);
  });
});

describe.each(ERAS)('a page, in the %s era,', (era) => {
  it.each<[string, ElicitedUrl]>([
    ['a path', '/connect'],
    ['a file', 'file:///etc/passwd'],
    ['a script', 'javascript:alert(1)'],
    ['credentials', 'https://ada:secret@example.com/'],
  ])('cannot be %s', async (_, url) => {
    @McpServer({ name: 'pages', version: '1.0.0' })
    class Pages {
      @Tool({ description: 'Open' }) async openPage(context: RequestContext): Promise<string> {
        return (await context.elicitUrl('page', 'Open it', url)).action;
      }
    }
    const onError = errorListener();
    await using session = await connect(new Pages(), { era, answers: { page: 'accept' }, onError });
    expect(await session.fails('open_page')).toContain('internal error');
    expect(String(onError.mock.calls[0]?.[0])).toContain('TypeError: the URL of a page to open must');
  });
});

class Named {
  @Field('Your password') @IsString() password!: string;
}
class Cased {
  @Field('Account of the service') @IsString() serviceApiKey!: string;
}
class Formatted {
  @Field({ description: 'Your word', format: 'password' }) @IsString() word!: string;
}
class Titled {
  @Field({ description: 'Your identity', title: 'Access token' }) @IsString() who!: string;
}
class Harmless {
  @Field('Whether to show the password') @IsBoolean() showPassword = false;
  @Field('Which secret') @IsIn(['first', 'second']) secret = 'first';
  @Field('Search text') @IsString() keyword = '';
  @Field('Largest number of tokens') @IsString() tokens = '';
}

/**
 * Sends a form. Returns the number of forms that the client received, and the error that the server reports for a
 * rejected form.
 */
async function asking(form: Constructor | FormSchema, era: Era): Promise<{ readonly asked: number; readonly error: string }> {
  @McpServer({ name: 'forms', version: '1.0.0' })
  class Forms {
    @Tool({ description: 'Ask' }) async ask(context: RequestContext): Promise<string> {
      const answer = typeof form === 'function' ? context.elicit('a', 'Fill in', form) : context.elicit('a', 'Fill in', form);
      return (await answer).action;
    }
  }
  const onError = errorListener();
  await using session = await connect(new Forms(), { era, answers: { elicitation: 'decline' }, onError });
  await session.client.callTool({ name: 'ask' });
  return { asked: session.elicited.all.length, error: onError.mock.calls.join() };
}

describe.each(ERAS)('a form, in the %s era,', (era) => {
  it.each<[string, Constructor | FormSchema, string]>([
    ['by the name of a field', Named, 'Named.password'],
    ['by two words of the name', Cased, 'Cased.serviceApiKey'],
    ['by the format', Formatted, 'Formatted.word'],
    ['by the title', Titled, 'Titled.who'],
    ['in a JSON Schema', { type: 'object', properties: { access_token: { type: 'string' } } }, 'the form.access_token'],
  ])('is rejected if a text field is for a secret: %s', async (_, form, place) => {
    const { asked, error } = await asking(form, era);
    expect(asked).toBe(0);
    expect(error).toContain(
      `${place}: a form must not ask for a secret, because the client would see it; use context.elicitUrl()`,
    );
  });

  it('may have choices, switches and names that only resemble a secret', async () => {
    expect(await asking(Harmless, era)).toEqual({ asked: 1, error: '' });
  });
});
