import { ToolError } from '@org/mcp-decorators';

/** What is not kept, or not for this caller. */
export function expired(): ToolError {
  return new ToolError('HANDLE_EXPIRED', 'there is no such result for this caller, or it was not used for too long', {
    hint: 'run the statement again',
  });
}

/** What was dropped while it was written or read. */
export function droppedMeanwhile(): ToolError {
  return new ToolError('HANDLE_EXPIRED', 'the rows were dropped, because another caller needed its share of the room', {
    hint: 'run the statement again, for fewer rows or columns; the operator chooses the size with --max-spool',
  });
}
