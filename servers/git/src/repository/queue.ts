import { callerBehind, FairSlots, ToolError } from '@org/mcp-decorators';

/** Runs one piece of work at a time; callers take turns. */
export class Queue {
  readonly #turns = new FairSlots({ slots: 1, maxWaiting: MAX_WAITING, refusal: overloaded });

  /**
   * Runs the work when no other work runs and the caller has its turn.
   *
   * @throws ToolError OVERLOADED; the signal's reason if it is aborted during the wait
   */
  add<Outcome>(work: () => Promise<Outcome>, signal: AbortSignal): Promise<Outcome> {
    return this.#turns.run(work, callerBehind(signal), { signal });
  }
}

const MAX_WAITING = 100;

function overloaded(): ToolError {
  return new ToolError('OVERLOADED', `${MAX_WAITING} changes of this caller to the repository are waiting already`, {
    hint: 'try again when other calls are done',
  });
}
