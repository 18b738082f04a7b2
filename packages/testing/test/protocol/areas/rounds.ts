import { expect } from 'vitest';

import type { Area } from '../area.ts';
import type { Params, Result } from '../message.ts';
import type { RawClient } from '../raw-client.ts';
import { textOf } from '../reading.ts';

const ADA = { action: 'accept', content: { name: 'Ada' } };
const YES = { action: 'accept', content: { ok: true } };

const ANSWERS = { 'elicitation/create': () => ADA };

/** Requests that have nothing to ask with. */
const COMPLETE: readonly (readonly [method: string, params: Params])[] = [
  ['tools/list', {}],
  ['resources/list', {}],
  ['resources/templates/list', {}],
  ['prompts/list', {}],
  ['server/discover', {}],
  ['completion/complete', { ref: { type: 'ref/prompt', name: 'review' }, argument: { name: 'language', value: '' } }],
];

const MALFORMED: readonly (readonly [string, unknown])[] = [
  ['a list', []],
  ['a string', 'Ada'],
  ['an action that is none', { name: { action: 'maybe' } }],
];

function begin(client: RawClient, name: string): Promise<Result> {
  return client.result('tools/call', { name, arguments: {} });
}

/** Goes on with a tool call, with the answers that are given. */
function goOn(client: RawClient, name: string, { requestState }: Result, inputResponses: unknown): Promise<Result> {
  return client.result('tools/call', {
    name,
    arguments: {},
    inputResponses,
    ...(requestState !== undefined && { requestState }),
  });
}

/** The answers to what a result asks, by the message of each question. */
function answersTo({ inputRequests = {} }: Result, answers: Readonly<Record<string, object>>): Record<string, unknown> {
  const given = Object.entries(inputRequests).map(([key, { params }]) => [key, answers[params?.message ?? '']] as const);
  return Object.fromEntries(given.filter(([, answer]) => answer !== undefined));
}

export const rounds: Area = (test) => {
  for (const [method, params] of COMPLETE)
    test(`are not begun by ${method}`, ['rounds.where'], async ({ client }) => {
      expect(await client.result(method, params)).toMatchObject({ resultType: 'complete' });
    });

  test('ask by requests, each under a key of its own', ['rounds.requests'], async ({ client }) => {
    const { resultType, inputRequests = {} } = await begin(client, 'both');
    expect(resultType).toBe('input_required');
    const asked = Object.values(inputRequests);
    expect(asked.map(({ method }) => method)).toEqual(['elicitation/create', 'elicitation/create']);
    expect(asked.map(({ params }) => params?.message)).toEqual(['Who are you?', 'Go on?']);
    const { inputRequests: other = {} } = await begin(client, 'where');
    expect(Object.values(other)).toMatchObject([{ method: 'roots/list' }]);
  });

  test('are held by prompts', ['rounds.prompt'], async ({ client }) => {
    const { answer, asked } = await client.converse('prompts/get', { name: 'greeting' }, ANSWERS);
    expect(asked).toMatchObject([{ method: 'elicitation/create', params: { message: 'Who are you?' } }]);
    expect(answer.result).toMatchObject({ messages: [{ content: { text: 'Greet {"name":"Ada"}' } }] });
  });

  test('are held by resources', ['rounds.resource'], async ({ client }) => {
    const { answer, asked } = await client.converse('resources/read', { uri: 'protocol://asked' }, ANSWERS);
    expect(asked).toHaveLength(1);
    expect(answer.result).toMatchObject({ contents: [{ text: '{"name":"Ada"}' }] });
  });

  test('go on by what the retry carries', ['rounds.independent'], async ({ client }) => {
    const first = await begin(client, 'twice');
    const second = await goOn(client, 'twice', first, answersTo(first, { 'Who are you?': ADA }));
    expect(second).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) });
    const last = await goOn(client, 'twice', second, answersTo(second, { 'Go on?': YES }));
    expect(textOf(last)).toBe('{"name":"Ada"} {"ok":true}');
  });

  test('go on only once from the same state', ['rounds.independent'], async ({ client }) => {
    const first = await begin(client, 'both');
    const answers = answersTo(first, { 'Who are you?': ADA, 'Go on?': { action: 'decline' } });
    expect(textOf(await goOn(client, 'both', first, answers))).toBe('{"name":"Ada"} decline');
    const replayed = await goOn(client, 'both', first, answersTo(first, { 'Who are you?': ADA, 'Go on?': YES }));
    expect(textOf(replayed)).toMatch(/^PRECONDITION_FAILED: the requestState was used already/);
  });

  test('refuse a state that was changed', ['rounds.tampered'], async ({ client }) => {
    const first = await begin(client, 'twice');
    const second = await goOn(client, 'twice', first, answersTo(first, { 'Who are you?': ADA }));
    const state = second.requestState ?? '';
    const at = Math.floor(state.length / 2);
    for (const changed of [
      '',
      'nothing',
      state.slice(1),
      `${state.slice(0, at)}${state[at] === 'A' ? 'B' : 'A'}${state.slice(at + 1)}`,
    ]) {
      const params = {
        name: 'twice',
        arguments: {},
        inputResponses: answersTo(second, { 'Go on?': YES }),
        requestState: changed,
      };
      expect(await client.error('tools/call', params)).toMatchObject({ code: -32_602 });
    }
  });

  test('refuse the state of another request', ['rounds.bound'], async ({ client }) => {
    const first = await begin(client, 'twice');
    const { requestState } = await goOn(client, 'twice', first, answersTo(first, { 'Who are you?': ADA }));
    const params = { name: 'both', arguments: {}, requestState };
    expect(await client.error('tools/call', params)).toMatchObject({ code: -32_602 });
    expect(await client.error('prompts/get', { name: 'greeting', requestState })).toMatchObject({ code: -32_602 });
  });

  test('ask again for what is missing', ['rounds.missing'], async ({ client }) => {
    const first = await begin(client, 'both');
    const partly = await goOn(client, 'both', first, answersTo(first, { 'Who are you?': ADA }));
    expect(partly.resultType).toBe('input_required');
    expect(Object.values(partly.inputRequests ?? {}).map(({ params }) => params?.message)).toContain('Go on?');
    const none = await goOn(client, 'both', await begin(client, 'both'), {});
    expect(none.resultType).toBe('input_required');
  });

  test('pass over answers nobody asked for', ['rounds.unexpected'], async ({ client }) => {
    const first = await begin(client, 'both');
    const given = answersTo(first, { 'Who are you?': ADA, 'Go on?': YES });
    expect(textOf(await goOn(client, 'both', first, { ...given, other: ADA }))).toBe('{"name":"Ada"} {"ok":true}');
  });

  for (const [what, inputResponses] of MALFORMED)
    test(`do not go on with ${what} for answers`, ['rounds.malformed'], async ({ client }) => {
      const first = await begin(client, 'both');
      const params = { name: 'both', arguments: {}, inputResponses, requestState: first.requestState };
      const { result, error } = await client.request('tools/call', params);
      expect(error?.code === -32_602 || result?.resultType === 'input_required').toBe(true);
    });
};
