import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  RELATED_TASK_META_KEY,
} from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';

import { isMessage, explainInvalidMessage } from '../../src/protocol/validate-message.ts';

const REQUEST = { jsonrpc: '2.0', id: 1, method: 'ping' };
const NOTIFICATION = { jsonrpc: '2.0', method: 'notifications/initialized' };
const RESULT = { jsonrpc: '2.0', id: 1, result: {} };
const ERROR = { jsonrpc: '2.0', id: 1, error: { code: -1, message: 'no' } };

const MESSAGES: readonly (readonly [string, unknown])[] = [
  ['a request', REQUEST],
  ['a request with a text as its id', { ...REQUEST, id: 'a' }],
  ['a request with an empty id', { ...REQUEST, id: '' }],
  ['a request with the id 0', { ...REQUEST, id: 0 }],
  ['a request with a negative id', { ...REQUEST, id: -1 }],
  ['a request with params', { ...REQUEST, params: { any: [1, null] } }],
  ['a request with metadata', { ...REQUEST, params: { _meta: { progressToken: 0, other: null } } }],
  ['a request of a task', { ...REQUEST, params: { _meta: { [RELATED_TASK_META_KEY]: { taskId: 'a', more: 1 } } } }],
  ['a notification', NOTIFICATION],
  ['a notification with params', { ...NOTIFICATION, params: { _meta: {} } }],
  ['a result', RESULT],
  ['a result with metadata', { ...RESULT, result: { _meta: {}, more: 1 } }],
  ['an error', ERROR],
  ['an error with data', { ...ERROR, error: { ...ERROR.error, data: null, more: 1 } }],
  ['an error without an id', { jsonrpc: '2.0', error: ERROR.error }],
];

const MALFORMED: readonly (readonly [
  string,
  unknown,
  { readonly code: number; readonly id?: unknown; readonly says: string },
])[] = [
  ['null', null, { code: -32_600, says: 'an object' }],
  ['a number', 5, { code: -32_600, says: 'an object' }],
  ['a text', 'ping', { code: -32_600, says: 'an object' }],
  ['an array', [REQUEST], { code: -32_600, says: 'an object' }],
  ['nothing', {}, { code: -32_600, says: '"jsonrpc"' }],
  ['no version', { id: 1, method: 'ping' }, { code: -32_600, id: 1, says: '"jsonrpc" must be "2.0"' }],
  ['another version', { ...REQUEST, jsonrpc: '1.0' }, { code: -32_600, id: 1, says: '"jsonrpc" must be "2.0"' }],
  ['nothing but an id', { jsonrpc: '2.0', id: 1 }, { code: -32_600, id: 1, says: '"method", "result" or "error"' }],
  ['a method that is no text', { ...REQUEST, method: 5 }, { code: -32_600, id: 1, says: '"method"' }],
  ['an id that is null', { ...REQUEST, id: null }, { code: -32_600, says: '"id"' }],
  ['an id with a fraction', { ...REQUEST, id: 1.5 }, { code: -32_600, says: '"id"' }],
  ['an id too large to be exact', { ...REQUEST, id: 2 ** 53 }, { code: -32_600, says: '"id"' }],
  ['an id that is an object', { ...REQUEST, id: {} }, { code: -32_600, says: '"id"' }],
  ['an unknown member', { ...REQUEST, extra: 1 }, { code: -32_600, id: 1, says: '"extra"' }],
  [
    'a member of the prototype',
    JSON.parse('{"jsonrpc":"2.0","id":1,"method":"ping","__proto__":{}}'),
    { code: -32_600, id: 1, says: '"__proto__"' },
  ],
  ['a result beside the method', { ...REQUEST, result: {} }, { code: -32_600, id: 1, says: '"result"' }],
  ['params as a list', { ...REQUEST, params: [] }, { code: -32_602, id: 1, says: '"params"' }],
  ['params that are null', { ...REQUEST, params: null }, { code: -32_602, id: 1, says: '"params"' }],
  ['metadata that is a list', { ...REQUEST, params: { _meta: [] } }, { code: -32_602, id: 1, says: '"_meta"' }],
  ['metadata that is null', { ...REQUEST, params: { _meta: null } }, { code: -32_602, id: 1, says: '"_meta"' }],
  [
    'a progress token that is an object',
    { ...REQUEST, params: { _meta: { progressToken: {} } } },
    { code: -32_602, id: 1, says: 'progressToken' },
  ],
  [
    'a progress token with a fraction',
    { ...REQUEST, params: { _meta: { progressToken: 0.5 } } },
    { code: -32_602, id: 1, says: 'progressToken' },
  ],
  [
    'a progress token that is null',
    { ...REQUEST, params: { _meta: { progressToken: null } } },
    { code: -32_602, id: 1, says: 'progressToken' },
  ],
  [
    'a task without an id',
    { ...REQUEST, params: { _meta: { [RELATED_TASK_META_KEY]: {} } } },
    { code: -32_602, id: 1, says: 'taskId' },
  ],
  ['a result that is null', { ...RESULT, result: null }, { code: -32_600, says: '"result"' }],
  ['a result that is a list', { ...RESULT, result: [] }, { code: -32_600, says: '"result"' }],
  ['a result without an id', { jsonrpc: '2.0', result: {} }, { code: -32_600, says: '"id"' }],
  ['a result with metadata that is a text', { ...RESULT, result: { _meta: 'a' } }, { code: -32_600, says: '_meta' }],
  ['a result and an error', { ...RESULT, error: ERROR.error }, { code: -32_600, says: '"error"' }],
  ['an error that is a text', { ...ERROR, error: 'no' }, { code: -32_600, says: '"error"' }],
  ['an error without a code', { ...ERROR, error: { message: 'no' } }, { code: -32_600, says: '"error"' }],
  ['an error with the id null', { ...ERROR, id: null }, { code: -32_600, says: '"id"' }],
];

/** Whether the SDK processes a message. The SDK drops all other messages silently. */
function isServedBySdk(value: unknown): boolean {
  return [isJSONRPCRequest, isJSONRPCNotification, isJSONRPCResultResponse, isJSONRPCErrorResponse].some((is) => is(value));
}

describe('a message', () => {
  it.each(MESSAGES)('is accepted if the SDK accepts it: %s', (_, value) => {
    expect([isMessage(value), isServedBySdk(value)]).toEqual([true, true]);
  });

  it.each(MALFORMED)('is rejected with a response if the SDK would drop it: %s', (_, value, { code, id, says }) => {
    expect([isMessage(value), isServedBySdk(value)]).toEqual([false, false]);
    const { response, problem } = explainInvalidMessage(value);
    expect(response).toEqual({ jsonrpc: '2.0', ...(id !== undefined && { id }), error: { code, message: problem } });
    expect(problem).toContain(says);
  });

  it('gets no response if it is an invalid notification', () => {
    for (const value of [{ ...NOTIFICATION, params: [] }, { ...NOTIFICATION, extra: 1 }, { method: 'a' }])
      expect(explainInvalidMessage(value)).toMatchObject({ response: undefined, replacement: undefined });
  });

  it('is replaced by an error if it is an invalid response, so that its request does not wait', () => {
    expect(explainInvalidMessage({ ...RESULT, id: 7, result: null })).toMatchObject({
      replacement: { id: 7, error: { code: -32_600 } },
    });
    expect(explainInvalidMessage({ ...RESULT, id: null })).toMatchObject({ replacement: undefined });
  });
});
