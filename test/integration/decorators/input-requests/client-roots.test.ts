import { McpServer, Prompt, RequestContext, Resource, Tool } from '@org/mcp-decorators';
import { connect, ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { Wire } from '../../support/wire.ts';

const ROOTS = [{ uri: 'file:///a', name: 'A' }, { uri: 'file:///b' }];

@McpServer({ name: 'asking', version: '1.0.0' })
class Asking {
  readonly entered: string[] = [];
  readonly effects: string[] = [];

  @Tool({ description: 'Return the roots of the client' })
  async allowed(context: RequestContext): Promise<string> {
    this.entered.push('allowed');
    const roots = await context.roots();
    this.effects.push('allowed');
    return JSON.stringify(roots ?? 'none to tell');
  }

  @Tool({ description: 'Return the roots of the client, with a short timeout' })
  async soon(context: RequestContext): Promise<string> {
    return JSON.stringify(await context.roots({ timeoutMs: 30 }));
  }

  @Tool({ description: 'Catches more than it should' })
  async careless(context: RequestContext): Promise<string> {
    const first = await context.roots().catch(() => undefined);
    const second = await context.roots().catch(() => undefined);
    return JSON.stringify([first?.length, second?.length]);
  }

  @Resource({ uri: 'asking://roots' })
  async roots(context: RequestContext): Promise<object | undefined> {
    return context.roots();
  }

  @Prompt({ description: 'The roots, as a prompt' })
  async rootsPrompt(context: RequestContext): Promise<string> {
    return JSON.stringify(await context.roots());
  }
}

describe.each(ERAS)("the client's roots, in the %s era,", (era) => {
  it('are available to a tool, a resource and a prompt', async () => {
    await using session = await connect(new Asking(), { era, roots: () => ROOTS });
    expect(JSON.parse(await session.text('allowed'))).toEqual(ROOTS);
    const { contents } = await session.client.readResource({ uri: 'asking://roots' });
    expect(contents).toMatchObject([{ text: JSON.stringify(ROOTS) }]);
    const { messages } = await session.client.getPrompt({ name: 'roots_prompt' });
    expect(messages).toMatchObject([{ content: { text: JSON.stringify(ROOTS) } }]);
  });

  it('are undefined if the client does not support roots, and empty if it allows none', async () => {
    await using silent = await connect(new Asking(), { era });
    expect(await silent.text('allowed')).toBe('"none to tell"');
    await using strict = await connect(new Asking(), { era, roots: () => [] });
    expect(await strict.text('allowed')).toBe('[]');
  });

  it('are requested before any side effect', async () => {
    const server = new Asking();
    await using session = await connect(server, { era, roots: () => ROOTS });
    await session.text('allowed');
    expect(server.effects).toEqual(['allowed']);
    expect(server.entered).toHaveLength(2);
  });

  it('are available to a method that catches every error', async () => {
    await using session = await connect(new Asking(), { era, roots: () => ROOTS });
    expect(await session.text('careless')).toBe('[2,2]');
  });

  it('result in the error NO_ANSWER if the client fails to answer', async () => {
    const roots = (): never => {
      throw new Error('no');
    };
    await using session = await connect(new Asking(), { era, roots });
    const failure: unknown = await session.fails('allowed').catch((error: unknown) => String(error));
    expect(failure).toMatch(era === 'legacy' ? /^NO_ANSWER: the client failed to report its roots/ : /no/);
  });
});

describe('on 2026-07-28,', () => {
  it.each([
    ['entries that are not roots', [null, 5, 'file:///a', {}, { uri: 5 }, ROOTS[1]], [ROOTS[1]]],
    ['a URI that is longer than any path', [{ uri: `file:///${'a'.repeat(16_384)}` }, ROOTS[1]], [ROOTS[1]]],
    ['too many roots', [...Array(1000).fill(ROOTS[1]), { uri: 'file:///c' }], Array(1000).fill(ROOTS[1])],
    ['a name that is not a string', [{ uri: 'file:///a', name: 5 }], [{ uri: 'file:///a' }]],
    ['a URI of another scheme', [{ uri: 'vscode-remote://a' }, ROOTS[1]], [{ uri: 'vscode-remote://a' }, ROOTS[1]]],
  ])('a list of roots with %s results in its valid roots', async (_, roots, taken) => {
    await using wire = await Wire.to(new Asking());
    const params = { name: 'allowed', arguments: {}, inputResponses: { client_roots: { roots } } };
    const text = JSON.stringify(taken);
    expect(await wire.send({ method: 'tools/call', params })).toMatchObject({ result: { content: [{ text }] } });
  });
});

describe.each(ERAS)('a list of roots without a valid root, in the %s era,', (era) => {
  it('is not treated as an empty list', async () => {
    const roots = (): typeof ROOTS => JSON.parse('[null, 5, {}, { "uri": 5 }]');
    await using session = await connect(new Asking(), { era, roots });
    expect(await session.fails('allowed')).toBe("INVALID_ANSWER: none of the client's roots has a usable uri");
  });
});

describe('in a session,', () => {
  it('the roots are requested once, and again after they changed', async () => {
    let roots = ROOTS;
    let asked = 0;
    const answer = (): typeof ROOTS => {
      asked += 1;
      return roots;
    };
    await using session = await connect(new Asking(), { era: 'legacy', roots: answer });
    await session.text('allowed');
    await session.text('allowed');
    expect(asked).toBe(1);
    roots = [];
    await session.client.sendRootsListChanged();
    expect(await session.text('allowed')).toBe('[]');
    expect(asked).toBe(2);
  });

  it('the roots are awaited for the time that the method sets', async () => {
    await using session = await connect(new Asking(), { era: 'legacy', roots: () => new Promise(() => undefined) });
    expect(await session.fails('soon')).toBe('NO_ANSWER: the client did not report its roots within 30 ms');
  });
});
