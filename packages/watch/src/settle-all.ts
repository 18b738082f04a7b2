/** Waits for all, also when one fails, and rejects with the first failure: nothing is left running behind it. */
export async function settleAll(promises: readonly Promise<unknown>[]): Promise<void> {
  const failure = (await Promise.allSettled(promises)).find((outcome) => outcome.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
}
