import { ToolError } from '@org/mcp-decorators';
import { spelled, type OpenDirectory } from '@org/mcp-roots';

import { entryTypeOf } from '../entry-type.ts';

/**
 * Counts what is in a directory that is to be moved or removed whole: somewhere else another glob may hold, and allow what is denied here.
 *
 * @throws ToolError DENIED_BY_POLICY
 */
export async function requireNothingDenied(above: OpenDirectory, name: string, signal: AbortSignal): Promise<number> {
  await using directory = await above.openDirectory(name);
  let count = 0;
  for await (const entry of directory.entries()) {
    signal.throwIfAborted();
    if (directory.isDenied(entry.name)) throw holdsDenied(directory);
    count += 1;
    if (entryTypeOf(entry) === 'directory') count += await requireNothingDenied(directory, entry.name, signal);
  }
  return count;
}

/** What is denied is not named. */
export function holdsDenied({ shown }: OpenDirectory): ToolError {
  return new ToolError('DENIED_BY_POLICY', `${spelled(shown)} holds something that the operator denies`);
}
