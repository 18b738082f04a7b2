import { Result, Text, type RequestContext } from '@org/mcp-decorators';

import { formatTime } from '../../journal/journal.ts';
import type { Files } from '../files.ts';
import { formatCount } from '../notes.ts';

export class CheckpointInput {
  @Text('Name of this moment', { minLength: 1, maxLength: 100 }) name!: string;
}

/** A named moment. */
export interface MadeCheckpoint {
  readonly checkpoint: string;
  readonly name: string;
  /** ISO 8601 */
  readonly time: string;
  /** Number of old checkpoints that were removed. */
  readonly removed: number;
}

/** Names the current moment, to which `rewind` can return. */
export async function checkpoint(
  { changes, companion }: Files,
  { name }: CheckpointInput,
  context: RequestContext,
): Promise<MadeCheckpoint> {
  context.signal.throwIfAborted();
  const state = await companion?.record(context);
  const id = changes.journal.createId();
  const removed = await changes.checkpoints.add({ id, name, ...(state !== undefined && { state }) });
  return { checkpoint: id, name, time: formatTime(id), removed };
}

export function checkpointResult(made: MadeCheckpoint): Result {
  const { checkpoint: id, name, removed } = made;
  const left = removed === 0 ? '' : `; removed ${formatCount(removed, 'old checkpoint', 'old checkpoints')} (--max-checkpoints)`;
  return Result.of(made, `Checkpoint ${JSON.stringify(name)} is ${id}; rewind takes back later changes of these tools${left}`);
}
