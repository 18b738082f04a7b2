import {
  compileServer,
  RequestContext,
  Resource,
  type CallLimits,
  type CompiledServer,
  type CallObserver,
  type ObservedCall,
} from '@org/mcp-decorators';

import { redact } from '../process/redact.ts';
import { diagnoseServer, type Diagnosis } from '../process/server-object.ts';

/** Current state of a server's transport. A value that the transport does not have is absent. */
export interface Gauges {
  /** Open connections; over HTTP, TCP connections. */
  readonly connections?: number;
  /** Sessions opened by `initialize` that have not ended. */
  readonly sessions?: number;
  /** Open streams for change notifications: streams of `subscriptions/listen`, and GET streams of sessions. */
  readonly listenStreams?: number;
  /** Messages kept for clients that may reconnect. */
  readonly storedEvents?: number;
  /** Number of rejected requests by reason. Reasons are defined by the program, never by a client. */
  readonly refused?: Readonly<Record<string, number>>;
}

/** Sources of {@link ServerInformation}. */
export interface InformationSources {
  /** May implement `diagnose()`, as its features and the extra features may. */
  readonly server: object;
  /** Objects that are served in addition. Default: none. */
  readonly extraFeatures?: readonly object[];
  /** Values of the options, without secrets. */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  /** Receives the error of a failed diagnosis. */
  readonly onError: (error: unknown, place: string) => void;
}

/** The feature with the resource `server://info`: version, diagnosis, limits and statistics of a server. */
export class ServerInformation {
  readonly statistics: Statistics = new Statistics();
  readonly #compiled: CompiledServer;
  readonly #settings: InformationSources['settings'];
  readonly #diagnosis: DiagnosisCache;
  readonly #startedAt = process.uptime();
  #gauges: () => Gauges = () => ({});

  constructor({ server, extraFeatures, settings, onError }: InformationSources) {
    this.#compiled = compileServer(server);
    this.#settings = settings;
    this.#diagnosis = new DiagnosisCache(
      () => diagnoseServer(server, extraFeatures),
      (error) => onError(error, `${server.constructor.name}.diagnose`),
    );
  }

  /** Current state of the transport. */
  get gauges(): Gauges {
    return this.#gauges();
  }

  /** Sets the function that reads the state of the transport. */
  setGaugeReader(read: () => Gauges): void {
    this.#gauges = read;
  }

  @Resource({
    uri: 'server://info',
    name: 'server_info',
    title: 'Server information',
    description: 'Health of this server: problems, options and limits, counts of calls and errors',
    mimeType: 'application/json',
  })
  async info(context: RequestContext): Promise<string> {
    const { info } = this.#compiled;
    const { inFlight, failed, calls } = this.statistics;
    const information = {
      name: info.name,
      version: info.version,
      uptimeSeconds: Math.round(process.uptime() - this.#startedAt),
      protocolVersion: context.protocolVersion,
      transport: context.http === undefined ? 'stdio' : 'http',
      diagnosis: await this.#diagnosis.read(),
      options: this.#settings,
      limits: collectLimits(this.#compiled),
      calls: { inFlight, failed, ...calls },
      ...this.gauges,
      rssBytes: process.memoryUsage.rss(),
      node: process.version,
    };
    return JSON.stringify(information, undefined, 2);
  }
}

/** Returns the limits of the tools that have limits. */
function collectLimits({ tools }: CompiledServer): Readonly<Record<string, CallLimits>> {
  const limited = [...tools].filter(([, { limits }]) => Object.keys(limits).length > 0);
  return Object.fromEntries(limited.map(([name, { limits }]) => [name, limits]));
}

/** Receives each call that has ended, with its outcome and its duration. */
type CallListener = (call: ObservedCall, outcome: string, seconds: number) => void;

/** Counts of calls by kind, name and outcome: `{ tool: { read_text_file: { ok: 3, NOT_FOUND: 1 } } }`. */
type CallCounts = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, number>>>>>>;

/**
 * Maximum number of distinct outcomes, because a server may use a different error code for each call. Further outcomes count as
 * `OTHER`.
 */
const MAX_OUTCOMES = 100;
const OUTCOME = /^[\w.-]{1,64}$/;
const OTHER = 'OTHER';

/** Outcomes without an error. */
const SUCCESSES = new Set(['ok', 'asked', 'cancelled']);

/** Counts the calls of one server object. */
export class Statistics {
  readonly #calls = new Map<string, Map<string, Map<string, number>>>();
  readonly #outcomes = new Set(SUCCESSES);
  readonly #listeners = new Set<CallListener>();
  #inFlight = 0;
  #failed = 0;

  /** Observer to pass to the transports that serve the object. */
  readonly observe: CallObserver = (call) => {
    const startedAt = performance.now();
    this.#inFlight += 1;
    return (outcome) => this.#end(call, outcome, startedAt);
  };

  /** Number of running calls. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Number of calls that ended with an error. */
  get failed(): number {
    return this.#failed;
  }

  /** Calls that have ended, by kind, name and outcome. */
  get calls(): CallCounts {
    return toObject(this.#calls, (names) => toObject(names, (outcomes) => Object.fromEntries(outcomes)));
  }

  /** Calls the listener with each call that ends from now on. */
  listen(listener: CallListener): void {
    this.#listeners.add(listener);
  }

  #end(call: ObservedCall, outcome: string, startedAt: number): void {
    const known = this.#limitOutcome(outcome);
    const outcomes = getOrCreate(getOrCreate(this.#calls, call.kind), call.name);
    outcomes.set(known, (outcomes.get(known) ?? 0) + 1);
    this.#inFlight -= 1;
    if (!SUCCESSES.has(known)) this.#failed += 1;
    if (this.#listeners.size === 0) return;
    const seconds = (performance.now() - startedAt) / 1000;
    for (const listener of this.#listeners) listener(call, known, seconds);
  }

  #limitOutcome(outcome: string): string {
    if (this.#outcomes.has(outcome)) return outcome;
    if (this.#outcomes.size >= MAX_OUTCOMES || !OUTCOME.test(outcome)) return OTHER;
    this.#outcomes.add(outcome);
    return outcome;
  }
}

function getOrCreate<Value>(map: Map<string, Map<string, Value>>, key: string): Map<string, Value> {
  const known = map.get(key);
  if (known !== undefined) return known;
  const created = new Map<string, Value>();
  map.set(key, created);
  return created;
}

function toObject<Value, Shown>(map: ReadonlyMap<string, Value>, show: (value: Value) => Shown): Readonly<Record<string, Shown>> {
  return Object.fromEntries([...map].map(([key, value]) => [key, show(value)]));
}

/** Maximum time that a reader waits for a diagnosis, in milliseconds. */
const MAX_WAIT_MS = 2000;

/** Milliseconds for which a diagnosis is reused: clients may read it in a loop, and a diagnosis may start processes or connections. */
const FRESH_MS = 5000;

/** Maximum number of lines of a diagnosis, because a server may have any number of repositories or roots. */
const MAX_DIAGNOSES = 100;
const MAX_TEXT = 500;

/** Runs a diagnosis, never twice at once, redacts the result, and reuses the result for 5 seconds. */
export class DiagnosisCache {
  readonly #run: () => Promise<readonly Diagnosis[]>;
  readonly #onError: (error: unknown) => void;
  #running: Promise<readonly Diagnosis[]> | undefined;
  #known: { readonly diagnoses: readonly Diagnosis[]; readonly until: number } | undefined;

  constructor(run: () => Promise<readonly Diagnosis[]>, onError: (error: unknown) => void) {
    this.#run = run;
    this.#onError = onError;
  }

  /** Resolves to the diagnosis or, if the diagnosis takes longer than 2 seconds, to a line that reports the delay. */
  async read(): Promise<readonly Diagnosis[]> {
    if (this.#known !== undefined && performance.now() < this.#known.until) return this.#known.diagnoses;
    return within(MAX_WAIT_MS, (this.#running ??= this.#refresh()));
  }

  async #refresh(): Promise<readonly Diagnosis[]> {
    const diagnoses = await this.#diagnose();
    this.#known = { diagnoses, until: performance.now() + FRESH_MS };
    this.#running = undefined;
    return diagnoses;
  }

  async #diagnose(): Promise<readonly Diagnosis[]> {
    try {
      const diagnoses = await this.#run();
      const shown = diagnoses.slice(0, MAX_DIAGNOSES).map(sanitize);
      const more = diagnoses.length - shown.length;
      return more > 0 ? [...shown, { subject: 'diagnosis', ok: true, detail: `omitted lines: ${more}` }] : shown;
    } catch (error) {
      this.#onError(error);
      return [{ subject: 'diagnosis', ok: false, detail: 'failed; see the log of the process' }];
    }
  }
}

function sanitize({ subject, ok, detail }: Diagnosis): Diagnosis {
  return { subject: truncate(subject), ok, detail: truncate(detail) };
}

function truncate(text: string): string {
  const safe = redact(text.slice(0, 2 * MAX_TEXT));
  return safe.length > MAX_TEXT ? `${safe.slice(0, MAX_TEXT)}…` : safe;
}

async function within(milliseconds: number, work: Promise<readonly Diagnosis[]>): Promise<readonly Diagnosis[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly Diagnosis[]>((resolve) => {
    const timedOut = { subject: 'diagnosis', ok: false, detail: `takes longer than ${milliseconds / 1000} s; try again` };
    timer = setTimeout(resolve, milliseconds, [timedOut]);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
