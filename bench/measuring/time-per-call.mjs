/** Minimum length of a sample in milliseconds, so that the clock and a single garbage collection have little effect. */
const SAMPLE_MS = 25;
const CALLS_BETWEEN_LOOKS = 32;

/** Returns the microseconds of a synchronous call, averaged over the calls of one sample. */
export function timePerCall(call) {
  const started = performance.now();
  let calls = 0;
  let elapsed = 0;
  while (elapsed < SAMPLE_MS) {
    for (let each = 0; each < CALLS_BETWEEN_LOOKS; each += 1) call();
    calls += CALLS_BETWEEN_LOOKS;
    elapsed = performance.now() - started;
  }
  return (elapsed / calls) * 1000;
}
