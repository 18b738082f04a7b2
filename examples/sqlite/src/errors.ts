import { ToolError } from '@org/mcp-decorators';

import type { ReaderReply } from './reader.js';

const READS_ONLY = 'each call takes one statement that reads: SELECT, VALUES, WITH or EXPLAIN';

/** Patterns of SQLite's messages, each with the code of the error and a remedy. A capturing group matches the missing object. */
const ERRORS: readonly (readonly [message: RegExp, code: string, hint?: string])[] = [
  [/not authorized to use function|unsafe use/, 'POLICY_DENIED'],
  [/not authorized|authorization denied|may not be modified|readonly database/, 'READ_ONLY', READS_ONLY],
  [/placeholders/, 'INVALID_ARGUMENTS', 'write the placeholders as ?1, ?2 and so on'],
  [/several statements/, 'SYNTAX', READS_ONLY],
  [/too many columns/, 'TOO_LARGE', 'select fewer columns'],
  [/out of memory|too big|a row has \d+ bytes/, 'TOO_LARGE', 'select a part of long values with substr, or narrow the statement'],
  [/no such (?:table|column|function): (.+)/, 'UNDEFINED_OBJECT'],
  [/is locked/, 'LOCK_TIMEOUT', 'another program writes; try again'],
  [/unable to open|not a database/, 'CONNECTION', 'the operator can check the file'],
  [/syntax error|incomplete input|unrecognized token|not properly initialized|variable number/, 'SYNTAX'],
];

/** Creates the error for a caller from an error of SQLite. */
export function translateError({ code: sqlite, message }: Extract<ReaderReply, { code: number }>): ToolError {
  const [pattern, code, hint] = ERRORS.find(([known]) => known.test(message)) ?? [/$/, 'QUERY_FAILED'];
  const [, object] = pattern.exec(message) ?? [];
  return new ToolError(code, message, {
    ...(hint !== undefined && { hint }),
    data: { sqlite, retryable: code === 'LOCK_TIMEOUT', ...(object !== undefined && { object }) },
  });
}
