import { ToolError } from '@org/mcp-decorators';

/** That a prompt would be about nothing. */
export function noChanges(what: string, hint: string): ToolError {
  return new ToolError('NO_CHANGES', what, { hint });
}
