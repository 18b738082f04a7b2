import type { ClientCapabilities, InputResponses } from '@modelcontextprotocol/client';
import type { Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { LEGACY, MODERN, sharedSession } from './conformance-cases.ts';

interface Retry {
  readonly inputResponses?: InputResponses;
  readonly requestState?: string | undefined;
}

/** The result of one round of a call. */
interface Round extends Retry {
  readonly inputRequests?: Readonly<Record<string, { readonly method: string }>>;
  readonly content?: readonly object[];
}

/** Makes one round of a call with a client that does not continue automatically. */
async function round({ client }: Session, tool: string, retry: Retry = {}): Promise<Round> {
  const params = { name: `test_input_required_result_${tool}`, arguments: {}, ...retry };
  const result: object = await client.request({ method: 'tools/call', params }, { allowInputRequired: true });
  return result;
}

function keysOf({ inputRequests = {} }: Round): readonly string[] {
  return Object.keys(inputRequests);
}

function saying(text: string): object {
  return expect.objectContaining({ content: [{ type: 'text', text }] });
}

function accept(content: Record<string, string | boolean>): InputResponses[string] {
  return { action: 'accept', content };
}

const MESSAGE = { role: 'assistant' as const, model: 'm', content: { type: 'text' as const, text: 'Hello' } };

describe.each(MODERN)('the rounds of a call, over $name,', (each) => {
  const session = sharedSession(each);

  it('are a single round for inputs that are needed together', async () => {
    const first = await round(session(), 'multiple_inputs');
    expect(first).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) });
    expect(keysOf(first)).toEqual(['user_name', 'greeting', 'client_roots']);
    const inputResponses = {
      user_name: accept({ name: 'Ada' }),
      greeting: MESSAGE,
      client_roots: { roots: [{ uri: 'file:///srv' }] },
    };
    const last = await round(session(), 'multiple_inputs', { requestState: first.requestState, inputResponses });
    expect(last).toEqual(saying('Hello Ada, of file:///srv'));
  });

  it('are two rounds for two consecutive inputs, each with a separate state', async () => {
    const { requestState: one, ...first } = await round(session(), 'multi_round');
    expect(keysOf(first)).toEqual(['step1']);
    const { requestState: two, ...second } = await round(session(), 'multi_round', {
      requestState: one,
      inputResponses: { step1: accept({ name: 'Ada' }) },
    });
    expect(keysOf(second)).toEqual(['step2']);
    expect([one, two]).toEqual([expect.any(String), expect.any(String)]);
    expect(two).not.toBe(one);
    const last = await round(session(), 'multi_round', {
      requestState: two,
      inputResponses: { step2: accept({ color: 'red' }) },
    });
    expect(last).toEqual(saying('Ada likes red'));
  });

  it('end with an error if their state was changed', async () => {
    const { requestState = '' } = await round(session(), 'tampered_state');
    const inputResponses = { confirm: accept({ ok: true }) };
    const tampered = round(session(), 'tampered_state', { requestState: `${requestState}-TAMPERED`, inputResponses });
    await expect(tampered).rejects.toMatchObject({ code: -32_602 });
    const kept = await round(session(), 'tampered_state', { requestState, inputResponses });
    expect(kept).toEqual(saying('integrity-ok: confirmed'));
  });

  it('continue until the input is valid', async () => {
    const unusable: readonly InputResponses[] = [
      { wrong_key: accept({ name: 'Ada' }) },
      { user_name: MESSAGE },
      { user_name: accept({ first: 'Ada' }) },
    ];
    for (const inputResponses of unusable) {
      const { requestState } = await round(session(), 'elicitation');
      expect(keysOf(await round(session(), 'elicitation', { requestState, inputResponses }))).toEqual(['user_name']);
    }
    const { requestState } = await round(session(), 'elicitation', { inputResponses: unusable[0]! });
    const usable = { user_name: accept({ name: 'Ada' }), unknown_extra_key: accept({ foo: 'bar' }) };
    const last = await round(session(), 'elicitation', { requestState, inputResponses: usable });
    expect(last).toEqual(saying('Hello, Ada!'));
  });

  it.each<[what: string, capabilities: ClientCapabilities, keys: readonly string[]]>([
    ['its model', { sampling: {} }, ['greeting']],
    ['its user', { elicitation: { form: {} } }, ['user_name']],
    ['its roots', { roots: {} }, ['client_roots']],
  ])('request only input that the client supports: %s', async (_, capabilities, keys) => {
    await using own = await each.connect({ capabilities });
    expect(keysOf(await round(own, 'capabilities'))).toEqual(keys);
  });
});

describe('a client without the capability that a tool needs', () => {
  it.each(MODERN)('receives an error that names the capability, over $name', async ({ connect }) => {
    await using session = await connect({});
    await expect(session.call('test_missing_capability')).rejects.toMatchObject({
      code: -32_021,
      data: { requiredCapabilities: { sampling: {} } },
    });
  });

  it.each(LEGACY)('receives a result that names the capability, over $name', async ({ connect }) => {
    await using session = await connect({});
    expect(await session.fails('test_missing_capability')).toBe(
      'CLIENT_CAPABILITY_REQUIRED: this operation needs sampling, which the client does not support',
    );
  });
});
