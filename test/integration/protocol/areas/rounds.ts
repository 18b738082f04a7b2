import { expect } from 'vitest';

import type { Area } from '../client/area.ts';
import type { Params, Result } from '../messages/message.ts';
import type { RawClient } from '../client/raw-client.ts';
import { textOf } from '../client/reading.ts';

const ADA = { action: 'accept', content: { name: 'Ada' } };
const YES = { action: 'accept', content: { ok: true } };

const ANSWERS = { 'elicitation/create': () => ADA };

/** Requests during which a server cannot request input. */
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
  ['an invalid action', { name: { action: 'maybe' } }],
];

function begin(client: RawClient, name: string): Promise<Result> {
  return client.result('tools/call', { name, arguments: {} });
}

/** Continues a tool call with the given answers. */
function goOn(client: RawClient, name: string, { requestState }: Result, inputResponses: unknown): Promise<Result> {
  return client.result('tools/call', {
    name,
    arguments: {},
    inputResponses,
    ...(requestState !== undefined && { requestState }),
  });
}

/** Returns the answers to the input requests of a result, by the message of each question. */
function answersTo({ inputRequests = {} }: Result, answers: Readonly<Record<string, object>>): Record<string, unknown> {
  const given = Object.entries(inputRequests).map(([key, { params }]) => [key, answers[params?.message ?? '']] as const);
  return Object.fromEntries(given.filter(([, answer]) => answer !== undefined));
}

export const rounds: Area = (test) => {
  for (const [method, params] of COMPLETE)
    test(`completes ${method} without requesting input`, ['rounds.where'], async ({ client }) => {
      expect(await client.result(method, params)).toMatchObject({ resultType: 'complete' });
    });

  test('returns input requests, each under a separate key', ['rounds.requests'], async ({ client }) => {
    const { resultType, inputRequests = {} } = await begin(client, 'both');
    expect(resultType).toBe('input_required');
    const asked = Object.values(inputRequests);
    expect(asked.map(({ method }) => method)).toEqual(['elicitation/create', 'elicitation/create']);
    expect(asked.map(({ params }) => params?.message)).toEqual(['Who are you?', 'Go on?']);
    const { inputRequests: other = {} } = await begin(client, 'where');
    expect(Object.values(other)).toMatchObject([{ method: 'roots/list' }]);
  });

  test('requests input for a prompt', ['rounds.prompt'], async ({ client }) => {
    const { answer, asked } = await client.converse('prompts/get', { name: 'greeting' }, ANSWERS);
    expect(asked).toMatchObject([{ method: 'elicitation/create', params: { message: 'Who are you?' } }]);
    expect(answer.result).toMatchObject({ messages: [{ content: { text: 'Greet {"name":"Ada"}' } }] });
  });

  test('requests input for a resource', ['rounds.resource'], async ({ client }) => {
    const { answer, asked } = await client.converse('resources/read', { uri: 'protocol://asked' }, ANSWERS);
    expect(asked).toHaveLength(1);
    expect(answer.result).toMatchObject({ contents: [{ text: '{"name":"Ada"}' }] });
  });

  test('continues the call with the contents of the retry', ['rounds.independent'], async ({ client }) => {
    const first = await begin(client, 'twice');
    const second = await goOn(client, 'twice', first, answersTo(first, { 'Who are you?': ADA }));
    expect(second).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) });
    const last = await goOn(client, 'twice', second, answersTo(second, { 'Go on?': YES }));
    expect(textOf(last)).toBe('{"name":"Ada"} {"ok":true}');
  });

  test('continues only once from the same state', ['rounds.independent'], async ({ client }) => {
    const first = await begin(client, 'both');
    const answers = answersTo(first, { 'Who are you?': ADA, 'Go on?': { action: 'decline' } });
    expect(textOf(await goOn(client, 'both', first, answers))).toBe('{"name":"Ada"} decline');
    const replayed = await goOn(client, 'both', first, answersTo(first, { 'Who are you?': ADA, 'Go on?': YES }));
    expect(textOf(replayed)).toMatch(/^PRECONDITION_FAILED: the requestState was already used/);
  });

  test('rejects a state that was changed', ['rounds.tampered'], async ({ client }) => {
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

  test('rejects the state of another request', ['rounds.bound'], async ({ client }) => {
    const first = await begin(client, 'twice');
    const { requestState } = await goOn(client, 'twice', first, answersTo(first, { 'Who are you?': ADA }));
    const params = { name: 'both', arguments: {}, requestState };
    expect(await client.error('tools/call', params)).toMatchObject({ code: -32_602 });
    expect(await client.error('prompts/get', { name: 'greeting', requestState })).toMatchObject({ code: -32_602 });
  });

  test('requests missing input again', ['rounds.missing'], async ({ client }) => {
    const first = await begin(client, 'both');
    const partly = await goOn(client, 'both', first, answersTo(first, { 'Who are you?': ADA }));
    expect(partly.resultType).toBe('input_required');
    expect(Object.values(partly.inputRequests ?? {}).map(({ params }) => params?.message)).toContain('Go on?');
    const none = await goOn(client, 'both', await begin(client, 'both'), {});
    expect(none.resultType).toBe('input_required');
  });

  test('ignores answers that were not requested', ['rounds.unexpected'], async ({ client }) => {
    const first = await begin(client, 'both');
    const given = answersTo(first, { 'Who are you?': ADA, 'Go on?': YES });
    expect(textOf(await goOn(client, 'both', first, { ...given, other: ADA }))).toBe('{"name":"Ada"} {"ok":true}');
  });

  for (const [what, inputResponses] of MALFORMED)
    test(`does not continue with ${what} as answers`, ['rounds.malformed'], async ({ client }) => {
      const first = await begin(client, 'both');
      const params = { name: 'both', arguments: {}, inputResponses, requestState: first.requestState };
      const { result, error } = await client.request('tools/call', params);
      expect(error?.code === -32_602 || result?.resultType === 'input_required').toBe(true);
    });
};
