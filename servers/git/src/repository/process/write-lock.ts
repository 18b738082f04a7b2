import { getCaller, FairSemaphore, ToolError } from '@org/mcp-decorators';

/** Serializes the changes to a repository. Callers take turns, so that none can starve the others. */
export class WriteLock {
  readonly #slots = new FairSemaphore({ slots: 1, maxWaiting: MAX_WAITING, refusal: overloadedError });

  /**
   * Runs work as soon as no other work runs and the caller has its turn.
   *
   * @throws ToolError OVERLOADED if 100 changes of the caller already wait; the signal's reason if it is aborted while waiting
   */
  run<Outcome>(work: () => Promise<Outcome>, signal: AbortSignal): Promise<Outcome> {
    return this.#slots.run(work, getCaller(signal), { signal });
  }
}

const MAX_WAITING = 100;

function overloadedError(): ToolError {
  return new ToolError('OVERLOADED', `this caller already has ${MAX_WAITING} changes to the repository waiting`, {
    hint: 'try again when other calls have finished',
  });
}
