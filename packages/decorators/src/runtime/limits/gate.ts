import type { CompiledTool } from '../../compile/primitives.ts';
import { ToolError } from '../../errors.ts';
import { callerBehind } from '../caller.ts';
import { FairSlots } from './fair-slots.ts';
import { RateLimit } from './rate-limit.ts';

/** One server object's gates, so that a limit holds for the process and not for each connection. */
const gates = new WeakMap<object, Map<string, Gate>>();

/** What the calls of one tool pass through: its rate limit and its slots. */
export class Gate {
  readonly #name: string;
  readonly #rate: RateLimit | undefined;
  readonly #slots: FairSlots | undefined;

  private constructor({ definition: { name }, limits: { maxConcurrent, rateLimit } }: CompiledTool) {
    this.#name = name;
    this.#rate = rateLimit && new RateLimit(rateLimit);
    this.#slots = maxConcurrent === undefined ? undefined : this.#slotsOf(maxConcurrent);
  }

  /** The gate of a server object's tool; `undefined` if the tool has no limit. */
  static of(server: object, tool: CompiledTool): Gate | undefined {
    const { maxConcurrent, rateLimit } = tool.limits;
    if (maxConcurrent === undefined && rateLimit === undefined) return undefined;
    const own = gates.get(server) ?? new Map<string, Gate>();
    gates.set(server, own);
    const gate = own.get(tool.definition.name) ?? new Gate(tool);
    own.set(tool.definition.name, gate);
    return gate;
  }

  /** Counts a call against the rate limit of its caller. @throws ToolError RATE_LIMITED */
  admit(caller: string): void {
    this.#rate?.admit(caller, this.#name);
  }

  /** Runs the work as soon as a slot is free. @throws ToolError OVERLOADED; the signal's reason if it is aborted during the wait */
  run<Outcome>(work: () => Promise<Outcome>, signal: AbortSignal): Promise<Outcome> {
    return this.#slots === undefined ? work() : this.#slots.run(work, callerBehind(signal), { signal });
  }

  #slotsOf(slots: number): FairSlots {
    const overloaded = (): ToolError =>
      new ToolError('OVERLOADED', `${this.#name} runs at most ${slots} times at once, and ${MAX_WAITING} calls are waiting`, {
        hint: 'try again later',
      });
    return new FairSlots({ slots, maxWaiting: MAX_WAITING, refusal: overloaded });
  }
}

/** Maximum number of calls of one caller that wait for a slot. */
const MAX_WAITING = 100;
