import { FairSemaphore, getCaller, ToolError } from '@org/mcp-decorators';

/**
 * Maximum number of conversions at the same time. Scaling a large image takes about 400 MB of memory, and reading a document up
 * to 512 MB for JavaScript objects.
 */
const SLOTS = 2;
/** Maximum number of waiting conversions of one caller. */
const MAX_WAITING = 64;

/** Limits conversions of images and documents, and shares the slots fairly between callers. */
export class ConversionSlots {
  readonly #slots = new FairSemaphore({
    slots: SLOTS,
    maxWaiting: MAX_WAITING,
    refusal: (reason) =>
      new ToolError(
        'OVERLOADED',
        reason === 'queue'
          ? `${MAX_WAITING} conversions of this caller are already waiting`
          : 'this conversion got no slot within the time limit',
        { hint: 'try again when other calls have finished', data: { retryable: true } },
      ),
  });

  /**
   * Runs a conversion as soon as a slot is free.
   *
   * @param withinMs maximum time that the conversion waits for a slot, in milliseconds
   * @throws ToolError OVERLOADED if too many conversions of the caller wait, or no slot becomes free in time; the signal's reason
   */
  run<Outcome>(convert: () => Promise<Outcome>, signal: AbortSignal, withinMs: number): Promise<Outcome> {
    return this.#slots.run(convert, getCaller(signal), { signal, withinMs });
  }
}
