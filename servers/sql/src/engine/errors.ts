import { ToolError } from '@org/mcp-decorators';

/**
 * Creates the error for a statement that was stopped because it ran too long.
 *
 * @param data facts for programs, such as the code of the database
 */
export function timeoutError(timeoutMs: number, data: Readonly<Record<string, unknown>> = {}): ToolError {
  return new ToolError('TIMEOUT', `the statement ran longer than ${timeoutMs} ms and was stopped`, {
    hint: TIMEOUT_HINT,
    data: { ...data, retryable: false },
  });
}

/** The remedies for a timeout, for the model. */
export const TIMEOUT_HINT =
  'narrow the statement, look at its plan with explain, or raise timeout_ms, up to the operator’s --timeout-ms, or --write-timeout-ms for statements that write';
