import type { Files } from '../files.ts';
import type { Step } from '../journal/change.ts';

/** What is recorded of a change. */
export interface Recording {
  readonly tool: string;
  /** `undefined` for a change that is not to be kept. */
  readonly steps: readonly Step[] | undefined;
  readonly bytes: number;
}

/**
 * Makes a change that was recorded before. Where it fails it is undone as far as it went, and forgotten.
 *
 * @param revert undoes what was made of it
 */
export async function recorded<Value>(
  { changes: { journal } }: Files,
  { tool, steps, bytes }: Recording,
  make: () => Promise<Value>,
  revert: () => Promise<void> = () => Promise.resolve(),
): Promise<{ readonly value: Value; readonly undoId: string | undefined }> {
  const undoId = steps && (await journal.record(tool, steps, bytes));
  try {
    return { value: await make(), undoId };
  } catch (error) {
    // Where even that fails, the record is what helps.
    if (undoId !== undefined)
      await revert().then(
        () => journal.forget(undoId),
        () => undefined,
      );
    throw error;
  }
}
