import { Result, visibleName } from '@org/mcp-decorators';

/** A result that ends with the command that undoes what was done, if there is one. */
export function withRecovery(outcome: { readonly recover_with?: string }, text: string): Result {
  const { recover_with: command } = outcome;
  return Result.of(outcome, command === undefined ? text : `${text}\nTo undo it: ${visibleName(command)}`);
}
