import type { JSONRPCErrorResponse } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';

import { mendedError } from '../../src/wire/session-error.ts';

const ISSUE = { code: 'invalid_type', path: ['params', 'uri'], message: 'Invalid input: expected string, received number' };
const REPORT = JSON.stringify([ISSUE], undefined, 2);

function answer(error: JSONRPCErrorResponse['error']): JSONRPCErrorResponse {
  return { jsonrpc: '2.0', id: 1, error };
}

describe('an error of the SDK', () => {
  it.each([
    ['as an internal error', -32_603, REPORT],
    ['with words before it', -32_602, `Invalid tools/call request: ${REPORT}`],
  ])('that shows what its validator reports is told in one line: %s', (_, code, message) => {
    expect(mendedError(answer({ code, message }), 'tools/call', true).error).toEqual({
      code: -32_602,
      message: 'Invalid params: uri: expected string, received number',
    });
  });

  it('names the first of many mistakes', () => {
    const message = JSON.stringify(
      Array.from({ length: 50 }, () => ISSUE),
      undefined,
      2,
    );
    const { error } = mendedError(answer({ code: -32_603, message }), 'tools/call', true);
    expect(error.message.split('; ')).toHaveLength(5);
  });

  it.each([
    ['of another code', { code: -32_601, message: REPORT }],
    ['with facts of its own', { code: -32_602, message: REPORT, data: { code: 'INVALID_ARGUMENTS' } }],
    ['that repeats something like it', { code: -32_602, message: 'cannot read [\n  {\n    "a": 1 }' }],
    [
      'that ends with a list of something else',
      { code: -32_602, message: `these are there: ${JSON.stringify([{ name: 'a' }], undefined, 2)}` },
    ],
    ['that ends with a list of nothing', { code: -32_603, message: 'these are there: []' }],
  ])('is left as it is: one %s', (_, error) => {
    expect(mendedError(answer(error), 'prompts/get', true)).toEqual(answer(error));
  });
});

describe('the code of a resource that is not there', () => {
  const missing = { code: -32_602, message: 'Resource not found: a:b', data: { uri: 'a:b' } };

  it.each(['resources/read', 'resources/subscribe'])('is the one of sessions in the answer to %s', (method) => {
    expect(mendedError(answer(missing), method, true).error).toEqual({ ...missing, code: -32_002 });
  });

  it.each([
    ['without a session', missing, 'resources/read', false],
    ['of another request', missing, 'tools/call', true],
    ['of a request that is not known any more', missing, undefined, true],
    ['of another error', { ...missing, data: { uri: 'a:b', code: 'CONFLICT' } }, 'resources/read', true],
    ['of another code', { ...missing, code: -32_603 }, 'resources/read', true],
    ['of an error without data', { code: -32_602, message: 'no' }, 'resources/read', true],
  ])('stays as it is %s', (_, error, method, inSession) => {
    expect(mendedError(answer(error), method, inSession)).toEqual(answer(error));
  });
});
