import type { SpentSeals } from '@org/mcp-decorators';
import { expect } from 'vitest';

import type { Wire, Answer } from '../../support/wire.ts';

export const KEY: string = 'k'.repeat(32);
export const YES = { consent: { action: 'accept', content: { ok: true } } };
export const REMOVE = { name: 'remove', arguments: { path: 'a.md', times: 2 } };
export const USED: object = failure('the requestState was already used; nothing was done');
export const INVALID_STATE = { error: { code: -32_602, message: 'Invalid or expired requestState' } };

export interface Round {
  readonly inputRequests: Readonly<Record<string, unknown>>;
  readonly requestState: string;
}

export function call(wire: Wire, params: Readonly<Record<string, unknown>>): Promise<Answer> {
  return wire.send({ method: 'tools/call', params });
}

export function roundOf(answer: Answer): Round {
  expect(answer).toMatchObject({ result: { resultType: 'input_required', requestState: expect.any(String) } });
  return 'result' in answer ? (answer.result as unknown as Round) : { inputRequests: {}, requestState: '' };
}

export function failure(text: string, code = 'PRECONDITION_FAILED'): object {
  const content = [{ text: expect.stringContaining(`${code}: ${text}`) }];
  return { result: { isError: true, content, _meta: { error: { code } } } };
}

/** Creates a memory of spent seals that several processes can share. */
export function memory(): SpentSeals {
  const used = new Set<string>();
  return { id: crypto.randomUUID(), spend: ({ id }) => !used.has(id) && used.add(id).has(id) };
}
