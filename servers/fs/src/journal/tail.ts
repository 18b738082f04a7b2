import type { OpenFile } from '@org/mcp-roots';

import type { TailStep } from './change.ts';
import { hashFile } from './contents.ts';
import { changedSince } from './restore.ts';

/** Maximum number of bytes before the tail whose hash identifies the file. */
const EDGE = 65_536;

/** Returns the hash of the last bytes before the tail. */
export function hashEdge(file: OpenFile, keep: number, signal: AbortSignal): Promise<string> {
  return hashFile(file, signal, Math.max(0, keep - EDGE), keep);
}

/**
 * Requires that a file still has the bytes before a tail, and that its tail is the one before or after the change.
 *
 * @param isForced whether the file may have any tail
 * @throws ToolError CONFLICT
 */
export async function requireKnownTail(file: OpenFile, step: TailStep, isForced: boolean, signal: AbortSignal): Promise<void> {
  const { keep, edge, before, after, path } = step;
  if (file.size < keep || (await hashEdge(file, keep, signal)) !== edge)
    throw changedSince(path, 'the file no longer has the text before the appended text, so nothing can be removed from its end');
  if (isForced) return;
  const size = file.size - keep;
  if (size !== before.size && size !== after.size) throw changedSince(path);
  const hash = await hashFile(file, signal, keep);
  if (hash !== before.hash && hash !== after.hash) throw changedSince(path);
}
