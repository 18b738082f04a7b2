import { eachTransport, type Era, type Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { compiledProgram } from '../../support/compiled-program.ts';
import { AskingServer } from './asking-server.ts';

const ROOTS = [{ uri: 'file:///notes' }];

const TITLED = [
  { const: 'a', title: 'The first' },
  { const: 'b', title: 'The second' },
];
const CHOICES = {
  type: 'object',
  properties: {
    one: { type: 'string', title: 'One', description: 'One of them', default: 'b', oneOf: TITLED },
    some: { type: 'array', description: 'Some of them', maxItems: 2, items: { anyOf: TITLED } },
    count: { type: 'integer', description: 'How many', maximum: 9 },
    address: { type: 'string', description: 'Postal or email address', format: 'email' },
  },
  required: ['some', 'count'],
};

const CASES = eachTransport({
  server: () => new AskingServer(),
  program: () => compiledProgram(new URL('asking-program.ts', import.meta.url)),
});

/**
 * Expected errors if the client lacks the capability for a question. In a session, the tool receives the error and may continue
 * without an answer. On 2026-07-28, the response is a protocol error.
 */
const REFUSALS: Readonly<Record<Era, RegExp>> = {
  legacy: /CLIENT_CAPABILITY_REQUIRED: this operation needs elicitation, which the client does not support$/,
  modern: /^Cannot request input 'name' .*the required capability/,
};

async function stateOf(session: Session): Promise<{ readonly effects: readonly string[]; readonly held: boolean }> {
  return JSON.parse(await session.text('state'));
}

describe.each(CASES)('a method that requests input, over $name,', ({ connect, era }) => {
  it('receives the answers to one question after the other, and its side effect happens once', async () => {
    await using session = await connect({ answers: { elicitation: [{ name: 'Ada' }, { colour: 'red' }] } });
    expect(await session.text('two_steps')).toBe('Ada (Person) likes red');
    expect(session.elicited.all.map(({ message }) => message)).toEqual(['Who are you?', 'Which colour?']);
    expect(await stateOf(session)).toEqual({ effects: ['two steps of 3'], held: false });
  });

  it('holds no lock while the user decides', async () => {
    const held: boolean[] = [];
    await using session: Session = await connect({
      answers: {
        elicitation: async ({ message }) => {
          held.push((await stateOf(session)).held);
          return message === 'Who are you?' ? { name: 'Ada' } : { colour: 'red' };
        },
      },
    });
    expect(await session.text('two_steps')).toContain('likes red');
    expect(held).toEqual([false, false]);
  });

  it('receives three answers in one round', async () => {
    await using session = await connect({ roots: () => ROOTS, answers: { elicitation: { name: 'Ada' }, sampling: 'Hello' } });
    expect(await session.text('three_at_once')).toBe('Hello Ada, of file:///notes');
    expect(session.elicited.all).toHaveLength(1);
    expect((await stateOf(session)).effects).toEqual(['three at once']);
  });

  it.each(['decline', 'cancel'] as const)('receives %s as an action', async (action) => {
    await using session = await connect({ answers: { elicitation: [action, { name: 'Ada' }, action] } });
    expect(await session.text('two_steps')).toBe(`name: ${action}`);
    expect(await session.text('two_steps')).toBe(`colour: ${action}`);
    expect((await stateOf(session)).effects).toEqual([]);
  });

  it('shows its choices with their titles, and only keywords that a form supports', async () => {
    const content = { one: 'a', some: ['b'], count: 2 };
    await using session = await connect({ answers: { elicitation: content } });
    expect(JSON.parse(await session.text('choose'))).toEqual({ action: 'accept', content });
    expect(session.elicited.all[0]?.schema).toEqual(CHOICES);
  });

  it('fails without sending a request if a form does not support the input', async () => {
    await using session = await connect({ answers: { elicitation: {} } });
    expect(await session.fails('nest')).toBe('INTERNAL: nest failed because of an internal error');
    expect(session.elicited.all).toEqual([]);
  });

  it('receives only valid answers: after an invalid answer, the question is sent again with the mistake', async () => {
    await using session = await connect({ answers: { elicitation: [{ name: 'A' }, { name: 'Ada' }, { colour: 'red' }] } });
    expect(await session.text('two_steps')).toContain('Ada');
    expect(session.elicited.all[1]?.message).toMatch(/^Who are you\?\nname: .*longer/);
  });

  it('fails after three answers that cannot be used', async () => {
    await using session = await connect({ answers: { elicitation: { name: 'A' } } });
    expect(await session.fails('two_steps')).toMatch(/^INVALID_ANSWER: the answer to "name" cannot be used\nname: /);
    expect(session.elicited.all).toHaveLength(3);
    expect(await stateOf(session)).toEqual({ effects: [], held: false });
  });

  it('does not continue if it catches the suspension', async () => {
    await using session = await connect({ answers: { elicitation: [{ name: 'Ada' }, { ok: true }] } });
    expect(JSON.parse(await session.text('careless'))).toEqual([
      { action: 'accept', content: { name: 'Ada' } },
      { action: 'accept', content: { ok: true } },
    ]);
  });

  it('must not use a key twice', async () => {
    await using session = await connect({ answers: { elicitation: { name: 'Ada' } } });
    expect(await session.fails('same_key')).toBe('INTERNAL: same_key failed because of an internal error');
    expect(session.elicited.all).toHaveLength(1);
  });

  it('must not return without the answer; the failure affects only this call', async () => {
    await using session = await connect({ roots: () => ROOTS, answers: { elicitation: { name: 'Ada' } } });
    expect(await session.fails('forgetful')).toBe('INTERNAL: forgetful failed because of an internal error');
    expect(await stateOf(session)).toEqual({ effects: [], held: false });
    expect(session.elicited.all).toEqual([]);
  });

  it('reports that the client does not support requests for input', async () => {
    await using session = await connect({});
    const refusal = await session.call('two_steps').catch((error: Error) => error);
    expect(refusal).toMatchObject({ message: expect.stringMatching(REFUSALS[era]) });
    expect(await stateOf(session)).toEqual({ effects: [], held: false });
  });

  it('fails if the client does not answer', async () => {
    await using session = await connect({ answers: { elicitation: () => Promise.reject(new Error('no dialogue')) } });
    const failure = session.call('two_steps').catch((error: Error) => error.message);
    expect(await failure).toMatch(era === 'legacy' ? /NO_ANSWER: the user did not answer/ : /no dialogue/);
    expect(await stateOf(session)).toEqual({ effects: [], held: false });
  });
});
