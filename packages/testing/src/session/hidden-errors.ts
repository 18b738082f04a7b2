/** An error of the server that its client does not see, with the `Class.method` that it came from. */
interface HiddenError {
  readonly error: unknown;
  readonly place: string;
}

/** The hidden errors of each call in progress. */
const inProgress = new Set<HiddenError[]>();

/**
 * Runs a call. `hidden` contains the errors that the server hid while this was the only call. The errors that `call` does not
 * remove from `hidden` are printed.
 */
export async function trackHiddenErrors<Outcome>(call: (hidden: HiddenError[]) => Promise<Outcome>): Promise<Outcome> {
  const hidden: HiddenError[] = [];
  inProgress.add(hidden);
  try {
    return await call(hidden);
  } finally {
    inProgress.delete(hidden);
    for (const each of hidden) print(each);
  }
}

/** Adds an error to the call in progress, or prints the error if no call or several calls are in progress. */
export function receiveHiddenError(error: unknown, place: string): void {
  const [call, another] = inProgress;
  if (call === undefined || another !== undefined) print({ error, place });
  else call.push({ error, place });
}

function print({ error, place }: HiddenError): void {
  // Test runners show the output of the console with the test that wrote it.
  // oxlint-disable-next-line no-console
  console.error(`${place} threw an error that clients do not see:`, error);
}
