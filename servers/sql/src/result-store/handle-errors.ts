import { ToolError } from '@org/mcp-decorators';

/** Creates the error for a result that does not exist for this caller. */
export function expiredHandleError(): ToolError {
  return new ToolError('HANDLE_EXPIRED', 'this caller has no such result, or the result has expired', {
    hint: 'run the statement again',
  });
}

/** Creates the error for a read or a write of rows that the store has dropped. */
export function droppedRowsError(): ToolError {
  return new ToolError('HANDLE_EXPIRED', 'the rows were dropped: their space was needed, or they have expired', {
    hint: 'run the statement again, for fewer rows or columns; the operator can raise the limit with --max-stored-bytes',
  });
}
