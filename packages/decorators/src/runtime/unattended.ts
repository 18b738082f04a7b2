/** The promise, whose rejection does not end the process if it comes before somebody awaits it, or nobody ever does. */
export function unattended<Outcome>(promise: Promise<Outcome>): Promise<Outcome> {
  promise.catch(() => undefined);
  return promise;
}
