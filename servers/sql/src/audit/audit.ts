import { principalOf, Suspension, ToolError, type InterceptedCall } from '@org/mcp-decorators';
import type { OperatorLog } from '@org/mcp-host';

import { fingerprintOf } from '../policy/fingerprint.ts';

/** A call that has ended. */
interface EndedCall {
  readonly call: InterceptedCall;
  readonly elapsedMs: number;
  readonly outcome: string;
}

/** Lines are written when the answers of a burst are on their way. */
const PAUSE_MS = 250;
/** So many are written at once, however soon: their statements are in memory until then. */
const MAX_WAITING = 1000;

/**
 * Tells the operator of each call: what was called, by whom, in which database, the fingerprint of its statement, how long it took and how it
 * ended. A fingerprint is the same for statements that differ in their values alone; no value is told, and no name but of ours.
 */
export class Audit implements AsyncDisposable {
  readonly #log: OperatorLog;
  readonly #isDatabase: (id: string) => boolean;
  #waiting: EndedCall[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  /** @param isDatabase tells ids of databases from what else a client may have given for one */
  constructor(log: OperatorLog, isDatabase: (id: string) => boolean) {
    this.#log = log;
    this.#isDatabase = isDatabase;
  }

  /** Does what the call does, and tells of it afterwards. */
  async around(call: InterceptedCall, next: () => Promise<unknown>): Promise<unknown> {
    const started = performance.now();
    let outcome = 'ok';
    try {
      return await next();
    } catch (error) {
      outcome = outcomeOf(call, error);
      throw error;
    } finally {
      this.#ended({ call, outcome, elapsedMs: Math.round(performance.now() - started) });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#write();
    await this.#writing;
  }

  #ended(ended: EndedCall): void {
    this.#waiting.push(ended);
    if (this.#waiting.length >= MAX_WAITING) this.#write();
    else this.#timer ??= setTimeout(() => this.#write(), PAUSE_MS).unref();
  }

  #write(): void {
    const ended = this.#waiting;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = [];
    this.#writing = this.#writing.then(async () => {
      for (const each of ended) this.#log.audit(await this.#lineOf(each));
    });
  }

  async #lineOf({ call: { kind, name, input, context }, elapsedMs, outcome }: EndedCall): Promise<string> {
    const { sql, database } = textsOf(input);
    const [client, subject] = principalOf(context.auth);
    const facts = {
      client,
      subject,
      database: database !== undefined && this.#isDatabase(database) ? database : undefined,
      fingerprint: sql === undefined ? undefined : await fingerprintOf(sql),
      outcome,
      ms: String(elapsedMs),
    };
    const told = Object.entries(facts).flatMap(([fact, value]) => (value === undefined ? [] : `${fact}=${plain(value)}`));
    return `audit ${kind} ${name} ${told.join(' ')}`;
  }
}

function outcomeOf({ context }: InterceptedCall, error: unknown): string {
  if (Suspension.is(error)) return 'asked';
  if (context.signal.aborted) return 'cancelled';
  return ToolError.is(error) ? error.code : 'INTERNAL';
}

function textsOf(input: unknown): { readonly sql?: string | undefined; readonly database?: string | undefined } {
  if (typeof input !== 'object' || input === null) return {};
  const textOf = (name: string): string | undefined => {
    const value: unknown = Reflect.get(input, name);
    return typeof value === 'string' ? value : undefined;
  };
  return { sql: textOf('sql'), database: textOf('database') };
}

/** Whoever made a token chose the names in it: one must not look like another fact. */
function plain(value: string): string {
  return /^[\w.:@/-]{1,200}$/.test(value) ? value : JSON.stringify(value.slice(0, 200));
}
