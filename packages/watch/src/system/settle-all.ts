/**
 * Waits for all promises, even if one rejects, and then rejects with the first error. So nothing keeps running in the background.
 */
export async function settleAll(promises: readonly Promise<unknown>[]): Promise<void> {
  const failure = (await Promise.allSettled(promises)).find((outcome) => outcome.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
}
