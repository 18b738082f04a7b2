import type { CallObserver, ObservedCall } from '@org/mcp-decorators';

/** Told how each call ended, and how long it took. */
export type CallListener = (call: ObservedCall, outcome: string, seconds: number) => void;

/** Counts by kind, by name and by how calls ended: `{ tool: { read_text_file: { ok: 3, NOT_FOUND: 1 } } }`. */
export type CallCounts = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, number>>>>>>;

/** Codes are a server's own words; one that makes them up for each call must not fill the memory. */
const MAX_OUTCOMES = 100;
const OUTCOME = /^[\w.-]{1,64}$/;
const OTHER = 'OTHER';

/** Ends of calls in which nothing went wrong. */
const FINE = new Set(['ok', 'asked', 'cancelled']);

/** The calls of one server object since it is served, by what was called and how it ended. */
export class Statistics {
  readonly #calls = new Map<string, Map<string, Map<string, number>>>();
  readonly #outcomes = new Set(FINE);
  readonly #listeners = new Set<CallListener>();
  #inFlight = 0;
  #failed = 0;

  /** To be given to whatever serves the object. */
  readonly observe: CallObserver = (call) => {
    const began = performance.now();
    this.#inFlight += 1;
    return (outcome) => this.#end(call, outcome, began);
  };

  /** Calls that have begun and not ended. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Calls that ended with an error. */
  get failed(): number {
    return this.#failed;
  }

  /** Calls that have ended. */
  get calls(): CallCounts {
    return objectOf(this.#calls, (names) => objectOf(names, (outcomes) => Object.fromEntries(outcomes)));
  }

  /** Calls the listener with each call that ends from now on. */
  listen(listener: CallListener): void {
    this.#listeners.add(listener);
  }

  #end(call: ObservedCall, outcome: string, began: number): void {
    const known = this.#known(outcome);
    const outcomes = opened(opened(this.#calls, call.kind), call.name);
    outcomes.set(known, (outcomes.get(known) ?? 0) + 1);
    this.#inFlight -= 1;
    if (!FINE.has(known)) this.#failed += 1;
    if (this.#listeners.size === 0) return;
    const seconds = (performance.now() - began) / 1000;
    for (const listener of this.#listeners) listener(call, known, seconds);
  }

  #known(outcome: string): string {
    if (this.#outcomes.has(outcome)) return outcome;
    if (this.#outcomes.size >= MAX_OUTCOMES || !OUTCOME.test(outcome)) return OTHER;
    this.#outcomes.add(outcome);
    return outcome;
  }
}

function opened<Value>(map: Map<string, Map<string, Value>>, key: string): Map<string, Value> {
  const known = map.get(key);
  if (known !== undefined) return known;
  const created = new Map<string, Value>();
  map.set(key, created);
  return created;
}

function objectOf<Value, Shown>(map: ReadonlyMap<string, Value>, show: (value: Value) => Shown): Readonly<Record<string, Shown>> {
  return Object.fromEntries([...map].map(([key, value]) => [key, show(value)]));
}
