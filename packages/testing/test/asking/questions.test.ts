import { describe, expect, it } from 'vitest';

import { eachTransport, type Era, type Session } from '../../src/index.ts';
import { compiledProgram } from '../compiled-program.ts';
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
    address: { type: 'string', description: 'Where to write to', format: 'email' },
  },
  required: ['some', 'count'],
};

const CASES = eachTransport({
  server: () => new AskingServer(),
  program: () => compiledProgram(new URL('asking-program.ts', import.meta.url)),
});

/** A session's tool hears of it and may do without; on 2026-07-28 the protocol has an error for it. */
const REFUSALS: Readonly<Record<Era, RegExp>> = {
  legacy: /CLIENT_CAPABILITY_REQUIRED: the client does not support elicitation, which this needs$/,
  modern: /^Cannot request input 'name' .*the required capability/,
};

async function stateOf(session: Session): Promise<{ readonly effects: readonly string[]; readonly held: boolean }> {
  return JSON.parse(await session.text('state'));
}

describe.each(CASES)('a method that asks, over $name,', ({ connect, era }) => {
  it('gets the answers to one question after the other, and its side effect happens once', async () => {
    await using session = await connect({ answers: { elicitation: [{ name: 'Ada' }, { colour: 'red' }] } });
    expect(await session.text('two_steps')).toBe('Ada (Person) likes red');
    expect(session.elicited.all.map(({ message }) => message)).toEqual(['Who are you?', 'Which colour?']);
    expect(await stateOf(session)).toEqual({ effects: ['two steps of 3'], held: false });
  });

  it('holds nothing while somebody thinks', async () => {
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

  it('gets three answers of one round', async () => {
    await using session = await connect({ roots: () => ROOTS, answers: { elicitation: { name: 'Ada' }, sampling: 'Hello' } });
    expect(await session.text('three_at_once')).toBe('Hello Ada, of file:///notes');
    expect(session.elicited.all).toHaveLength(1);
    expect((await stateOf(session)).effects).toEqual(['three at once']);
  });

  it.each(['decline', 'cancel'] as const)('is told of a %s as such', async (action) => {
    await using session = await connect({ answers: { elicitation: [action, { name: 'Ada' }, action] } });
    expect(await session.text('two_steps')).toBe(`name: ${action}`);
    expect(await session.text('two_steps')).toBe(`colour: ${action}`);
    expect((await stateOf(session)).effects).toEqual([]);
  });

  it('shows its choices with their titles, and only what a form can have', async () => {
    const content = { one: 'a', some: ['b'], count: 2 };
    await using session = await connect({ answers: { elicitation: content } });
    expect(JSON.parse(await session.text('choose'))).toEqual({ action: 'accept', content });
    expect(session.elicited.all[0]?.schema).toEqual(CHOICES);
  });

  it('cannot ask for what no form has, and asks nothing', async () => {
    await using session = await connect({ answers: { elicitation: {} } });
    expect(await session.fails('nest')).toBe('INTERNAL: nest failed because of an internal error');
    expect(session.elicited.all).toEqual([]);
  });

  it('gets a usable answer: another one is asked for again, with what is wrong with it', async () => {
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

  it('does not run on with a careless catch', async () => {
    await using session = await connect({ answers: { elicitation: [{ name: 'Ada' }, { ok: true }] } });
    expect(JSON.parse(await session.text('careless'))).toEqual([
      { action: 'accept', content: { name: 'Ada' } },
      { action: 'accept', content: { ok: true } },
    ]);
  });

  it('may not use a key twice', async () => {
    await using session = await connect({ answers: { elicitation: { name: 'Ada' } } });
    expect(await session.fails('same_key')).toBe('INTERNAL: same_key failed because of an internal error');
    expect(session.elicited.all).toHaveLength(1);
  });

  it("may not return without the answer, which is its own failure and nobody else's", async () => {
    await using session = await connect({ roots: () => ROOTS, answers: { elicitation: { name: 'Ada' } } });
    expect(await session.fails('forgetful')).toBe('INTERNAL: forgetful failed because of an internal error');
    expect(await stateOf(session)).toEqual({ effects: [], held: false });
    expect(session.elicited.all).toEqual([]);
  });

  it('says clearly that the client cannot be asked', async () => {
    await using session = await connect({});
    const refusal = await session.call('two_steps').catch((error: Error) => error);
    expect(refusal).toMatchObject({ message: expect.stringMatching(REFUSALS[era]) });
    expect(await stateOf(session)).toEqual({ effects: [], held: false });
  });

  it('fails if the client gives no answer', async () => {
    await using session = await connect({ answers: { elicitation: () => Promise.reject(new Error('no dialogue')) } });
    const failure = session.call('two_steps').catch((error: Error) => error.message);
    expect(await failure).toMatch(era === 'legacy' ? /NO_ANSWER: the user did not answer/ : /no dialogue/);
    expect(await stateOf(session)).toEqual({ effects: [], held: false });
  });
});
