/** Disposes of parts one after the other, each even if an earlier part rejects, and then rejects with the first error. */
export async function disposeInOrder(parts: readonly (AsyncDisposable | undefined)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const part of parts) {
    try {
      await part?.[Symbol.asyncDispose]();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
