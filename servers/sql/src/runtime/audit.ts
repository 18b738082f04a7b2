import { getPrincipal, Suspension, ToolError, type InterceptedCall } from '@org/mcp-decorators';
import type { OperatorLog } from '@org/mcp-host';

import type { Databases } from '../engine/databases.ts';

/** A call that has ended, its duration and its outcome. */
interface EndedCall {
  readonly call: InterceptedCall;
  readonly elapsedMs: number;
  readonly outcome: string;
}

/** Pause in ms before a batch of lines is written, so that writing does not delay the answers to a burst of calls. */
const PAUSE_MS = 250;
/**
 * Number of unwritten lines after which the lines are written without a pause. The limit bounds memory, because each line keeps
 * its statement.
 */
const MAX_WAITING = 1000;

/**
 * Logs each call of a tool, prompt or resource: its kind and name, client and subject, database, fingerprint of the statement,
 * outcome and duration. If the engine has fingerprints, statements that differ only in their values have the same fingerprint.
 * The log contains no values. Its only names are the names of tools, prompts, resources, principals and databases.
 */
export class Audit implements AsyncDisposable {
  readonly #log: OperatorLog;
  readonly #databases: Databases;
  #waiting: EndedCall[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(log: OperatorLog, databases: Databases) {
    this.#log = log;
    this.#databases = databases;
  }

  /** Runs a call, and logs the call when it has ended. */
  async record(call: InterceptedCall, next: () => Promise<unknown>): Promise<unknown> {
    const started = performance.now();
    let outcome = 'ok';
    try {
      return await next();
    } catch (error) {
      outcome = classifyOutcome(call, error);
      throw error;
    } finally {
      this.#add({ call, outcome, elapsedMs: Math.round(performance.now() - started) });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#write();
    await this.#writing;
  }

  #add(ended: EndedCall): void {
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
      for (const each of ended) this.#log.audit(await this.#formatLine(each));
    });
  }

  async #formatLine({ call: { kind, name, input, context }, elapsedMs, outcome }: EndedCall): Promise<string> {
    const { sql, database } = readTexts(input);
    const [client, subject] = getPrincipal(context.auth);
    const [{ engine }] = this.#databases.all;
    const facts = {
      client,
      subject,
      // A client may send any text as the id of a database, so only the id of a served database is logged.
      database: this.#databases.all.find(({ id }) => id === database)?.id,
      fingerprint: sql === undefined ? undefined : await engine.fingerprintStatement?.(sql),
      outcome,
      ms: String(elapsedMs),
    };
    const parts = Object.entries(facts).flatMap(([fact, value]) => (value === undefined ? [] : `${fact}=${quoteUnsafe(value)}`));
    return `audit ${kind} ${name} ${parts.join(' ')}`;
  }
}

function classifyOutcome({ context }: InterceptedCall, error: unknown): string {
  if (Suspension.is(error)) return 'asked';
  if (context.signal.aborted) return 'cancelled';
  return ToolError.is(error) ? error.code : 'INTERNAL';
}

function readTexts(input: unknown): { readonly sql?: string | undefined; readonly database?: string | undefined } {
  if (typeof input !== 'object' || input === null) return {};
  const textOf = (name: string): string | undefined => {
    const value: unknown = Reflect.get(input, name);
    return typeof value === 'string' ? value : undefined;
  };
  return { sql: textOf('sql'), database: textOf('database') };
}

/**
 * Quotes a text that could forge a fact in a line of the audit, and cuts the text to 200 characters. For example, the issuer of a
 * token chooses the names in the token.
 */
function quoteUnsafe(value: string): string {
  return /^[\w.:@/-]{1,200}$/.test(value) ? value : JSON.stringify(value.slice(0, 200));
}
