import { McpServer, RequestContext, Tool, type ElicitOutcome, type FormSchema, type SamplingResult } from '@org/mcp-decorators';
import { describe, expect, it } from 'vitest';

import { connect, ERAS, type Answers, type ElicitationAnswer, type Era } from '../src/index.ts';
import { deferred } from './deferred.ts';

const FORM: FormSchema = { type: 'object', properties: { confirm: { type: 'boolean' } } };

@McpServer({ name: 'asking', version: '1.0.0' })
class Asking {
  @Tool({ description: 'Asks with one form' }) confirm(context: RequestContext): Promise<ElicitOutcome<object>> {
    return context.elicit('a', 'Delete a.txt?', FORM);
  }
  @Tool({ description: 'Asks with one form after the other' })
  async confirmBoth(context: RequestContext): Promise<readonly ElicitOutcome<object>[]> {
    return [await context.elicit('a', 'Delete a.txt?', FORM), await context.elicit('b', 'Delete b.txt?', FORM)];
  }
  @Tool({ description: 'Asks a model' }) name(context: RequestContext): Promise<SamplingResult> {
    return context.sample('name', { messages: [{ role: 'user', content: { type: 'text', text: 'Name it' } }], maxTokens: 10 });
  }
  @Tool({ description: 'Returns what the client declares' }) capabilities(context: RequestContext): object {
    return context.client.capabilities;
  }
}

const YES = { action: 'accept', content: { confirm: true } };
const NO = { action: 'decline' };

/**
 * Errors of a call whose question gets no answer. The server of a session hides the reason. On 2026-07-28, the client itself
 * fails the call.
 */
const UNANSWERED: Readonly<Record<Era, string>> = {
  legacy: 'NO_ANSWER: the user did not answer',
  modern: 'no answer is left for "Delete b.txt?"',
};

describe.each(ERAS)('the answer to a form, in the %s era,', (era) => {
  it.each<[string, Answers['elicitation'] & {}, readonly unknown[]]>([
    ['content, accepted each time', { confirm: true }, [YES, YES]],
    ['decline', 'decline', [NO, NO]],
    ['cancel', 'cancel', [{ action: 'cancel' }, { action: 'cancel' }]],
    ['a list, in the order of the forms', [{ confirm: true }, 'decline'], [YES, NO]],
    ['a function of the message', ({ message }) => (message.includes('a.txt') ? { confirm: true } : 'decline'), [YES, NO]],
    ['a function of the schema', ({ schema }) => (schema.properties['confirm'] ? { confirm: true } : 'decline'), [YES, YES]],
    ['an asynchronous function', () => Promise.resolve('decline'), [NO, NO]],
  ])('is the configured answer: %s', async (_, elicitation, results) => {
    await using session = await connect(new Asking(), { era, answers: { elicitation } });
    expect(JSON.parse(await session.text('confirm_both'))).toEqual(results);
  });

  it('is recorded together with the request', async () => {
    await using session = await connect(new Asking(), { era, answers: { elicitation: [{ confirm: true }, 'decline'] } });
    await session.call('confirm_both');
    expect(session.elicited.all).toEqual([
      { message: 'Delete a.txt?', schema: FORM, answer: { confirm: true } },
      { message: 'Delete b.txt?', schema: FORM, answer: 'decline' },
    ]);
  });

  it('can be awaited', async () => {
    const answer = deferred<ElicitationAnswer>();
    await using session = await connect(new Asking(), { era, answers: { elicitation: () => answer.promise } });
    const pending = session.start('confirm');
    const asked = await session.elicited.next();
    expect(asked).toMatchObject({ message: 'Delete a.txt?', answer: undefined });
    answer.resolve('decline');
    await pending.result;
    expect(asked.answer).toBe('decline');
  });

  it('fails the call if the list has none left', async () => {
    await using session = await connect(new Asking(), { era, answers: { elicitation: [{ confirm: true }] } });
    await expect(session.call('confirm_both')).rejects.toThrow(UNANSWERED[era]);
  });
});

describe.each(ERAS)('the answer of a model, in the %s era,', (era) => {
  const content = { type: 'text', text: 'Ada' } as const;

  it.each<[string, Answers['sampling'] & {}, object]>([
    ['a text', 'Ada', { stopReason: 'endTurn', content }],
    ['a function that returns a text', ({ maxTokens }) => `${maxTokens} tokens`, { content: { ...content, text: '10 tokens' } }],
    ['a function that returns a result', () => ({ role: 'assistant', model: 'm', content }), { model: 'm', content }],
  ])('is the configured answer: %s', async (_, sampling, result) => {
    await using session = await connect(new Asking(), { era, answers: { sampling } });
    expect(JSON.parse(await session.text('name'))).toMatchObject({ role: 'assistant', ...result });
  });
});

describe.each(ERAS)('a client, in the %s era,', (era) => {
  it.each([
    ['nothing', {}, {}],
    ['forms', { answers: { elicitation: 'cancel' } }, { elicitation: { form: {} } }],
    ['a model', { answers: { sampling: '' } }, { sampling: {} }],
    ['roots', { roots: () => [] }, { roots: { listChanged: true } }],
    ['nothing, but says so', { capabilities: { sampling: {} } }, { sampling: {} }],
  ] as const)('declares the capabilities that it has answers for: %s', async (_, options, capabilities) => {
    await using session = await connect(new Asking(), { era, ...options });
    expect(JSON.parse(await session.text('capabilities'))).toEqual(capabilities);
  });

  it('rejects requests if it has no answers', async () => {
    await using session = await connect(new Asking(), { era });
    await expect(session.call('confirm')).rejects.toThrow(/elicitation/);
    expect(session.elicited.all).toEqual([]);
  });
});
