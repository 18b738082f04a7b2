/** Milliseconds in which two writes may get the same time stamp: 10 on Linux with the coarsest clock, 16 on Windows. */
export const TICK = 20;

const NANOSECONDS = 1_000_000n;

/** Whether a further change would get a time stamp of its own: the last one is older than the file system's clock tick. */
export function isSettled({ ctimeNs }: { readonly ctimeNs: bigint }): boolean {
  return Math.abs(Date.now() - Number(ctimeNs / NANOSECONDS)) > TICK;
}
