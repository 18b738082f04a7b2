/** A sample is at least this long, so that the clock and a single collection of garbage weigh little. */
const SAMPLE_MS = 25;
const CALLS_BETWEEN_LOOKS = 32;

/** Microseconds that a synchronous call takes, over as many calls as fit into a sample. */
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
