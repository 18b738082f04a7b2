import { callerBehind, FairSlots, ToolError } from '@org/mcp-decorators';

/** Work that is done one piece after the other, in turns of those whose calls it is done for. */
export class Queue {
  readonly #turns = new FairSlots({ slots: 1, maxWaiting: MAX_WAITING, refusal: overloaded });

  /**
   * Begins when no other work is under way and it is the caller's turn.
   *
   * @throws ToolError OVERLOADED; the signal's reason, if it is aborted before
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
