import type { Step } from '../journal/change.ts';
import type { ChangeableFiles } from './change-support.ts';

/** The record of a change. */
export interface Recording {
  readonly tool: string;
  /** Steps of the change for the journal; `undefined` for a change without undo. */
  readonly steps: readonly Step[] | undefined;
  readonly bytes: number;
}

/**
 * Records a change, then makes it. If a recorded change fails, it is reverted and its record is removed. A change without undo is
 * neither recorded nor reverted.
 *
 * @param revert undoes a partially made change; by default, does nothing
 */
export async function runRecorded<Value>(
  { changes: { journal } }: ChangeableFiles,
  { tool, steps, bytes }: Recording,
  make: () => Promise<Value>,
  revert: () => Promise<void> = () => Promise.resolve(),
): Promise<{ readonly value: Value; readonly undoId: string | undefined }> {
  const undoId = steps && (await journal.record(tool, steps, bytes));
  try {
    return { value: await make(), undoId };
  } catch (error) {
    // If the revert fails, the record stays, so that undo_change can repair the change.
    if (undoId !== undefined)
      await revert().then(
        () => journal.forget(undoId),
        () => undefined,
      );
    throw error;
  }
}
