import { ToolError } from '@org/mcp-decorators';

/** Creates the error for a result that does not exist for this caller. */
export function expired(): ToolError {
  return new ToolError('HANDLE_EXPIRED', 'there is no such result for this caller, or it was not used for too long', {
    hint: 'run the statement again',
  });
}

/** Creates the error for rows that were dropped during a read or a write. */
export function droppedMeanwhile(): ToolError {
  return new ToolError('HANDLE_EXPIRED', 'the rows were dropped: their room was needed, or they were not used for too long', {
    hint: 'run the statement again, for fewer rows or columns; the operator chooses the size with --max-spool',
  });
}
