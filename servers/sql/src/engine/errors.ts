import { ToolError, type ToolErrorOptions } from '@org/mcp-decorators';

/**
 * Creates the error for a statement that was stopped because it ran too long.
 *
 * @param options.data facts for programs, such as the error code of the database
 * @param options.hint advice for the model. Default: to narrow the statement, or to raise the time limit
 */
export function timeoutError(
  timeoutMs: number,
  { data = {}, hint = TIMEOUT_HINT }: Pick<ToolErrorOptions, 'data' | 'hint'> = {},
): ToolError {
  return new ToolError('TIMEOUT', `the statement ran longer than ${timeoutMs} ms and was stopped`, {
    hint,
    data: { ...data, retryable: false },
  });
}

const TIMEOUT_HINT = 'narrow the statement, or raise timeout_ms, up to the limit of the operator';
