import type { JSONRPCErrorResponse } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';

import { correctSdkError } from '../../src/protocol/sdk-errors.ts';

const ISSUE = { code: 'invalid_type', path: ['params', 'uri'], message: 'Invalid input: expected string, received number' };
const REPORT = JSON.stringify([ISSUE], undefined, 2);

function answer(error: JSONRPCErrorResponse['error']): JSONRPCErrorResponse {
  return { jsonrpc: '2.0', id: 1, error };
}

describe('an error of the SDK', () => {
  it.each([
    ['as an internal error', -32_603, REPORT],
    ['with text before the report', -32_602, `Invalid tools/call request: ${REPORT}`],
  ])('with the report of its validator is rewritten to one line: %s', (_, code, message) => {
    expect(correctSdkError(answer({ code, message }), 'tools/call', true).error).toEqual({
      code: -32_602,
      message: 'Invalid params: uri: expected string, received number',
    });
  });

  it('lists only the first mistakes', () => {
    const message = JSON.stringify(
      Array.from({ length: 50 }, () => ISSUE),
      undefined,
      2,
    );
    const { error } = correctSdkError(answer({ code: -32_603, message }), 'tools/call', true);
    expect(error.message.split('; ')).toHaveLength(5);
  });

  it.each([
    ['with another code', { code: -32_601, message: REPORT }],
    ['with its own data', { code: -32_602, message: REPORT, data: { code: 'INVALID_ARGUMENTS' } }],
    ['that quotes a similar report', { code: -32_602, message: 'cannot read [\n  {\n    "a": 1 }' }],
    [
      'that ends with another list',
      { code: -32_602, message: `these are there: ${JSON.stringify([{ name: 'a' }], undefined, 2)}` },
    ],
    ['that ends with an empty list', { code: -32_603, message: 'these are there: []' }],
  ])('remains unchanged: an error %s', (_, error) => {
    expect(correctSdkError(answer(error), 'prompts/get', true)).toEqual(answer(error));
  });
});

describe('the error code of a missing resource', () => {
  const missing = { code: -32_602, message: 'Resource not found: a:b', data: { uri: 'a:b' } };

  it.each(['resources/read', 'resources/subscribe'])('is the code for sessions in the response to %s', (method) => {
    expect(correctSdkError(answer(missing), method, true).error).toEqual({ ...missing, code: -32_002 });
  });

  it.each([
    ['without a session', missing, 'resources/read', false],
    ['in the response to another request', missing, 'tools/call', true],
    ['in the response to a forgotten request', missing, undefined, true],
    ['of an error with other data', { ...missing, data: { uri: 'a:b', code: 'CONFLICT' } }, 'resources/read', true],
    ['with another code', { ...missing, code: -32_603 }, 'resources/read', true],
    ['of an error without data', { code: -32_602, message: 'no' }, 'resources/read', true],
  ])('remains unchanged %s', (_, error, method, inSession) => {
    expect(correctSdkError(answer(error), method, inSession)).toEqual(answer(error));
  });
});
