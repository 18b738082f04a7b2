import { getPrincipal, Suspension, ToolError, type InterceptedCall } from '@org/mcp-decorators';
import type { OperatorLog } from '@org/mcp-host';

import { requireParsable } from '../postgres/policy/parse/bounds.ts';
import { computeDigest } from '../postgres/policy/parse/parser.ts';
import { TextCache } from '../engine/text-cache.ts';

/** A call that has ended, its duration and its outcome. */
interface EndedCall {
  readonly call: InterceptedCall;
  readonly elapsedMs: number;
  readonly outcome: string;
}

/** Pause before a batch of lines is written, so that writing does not delay the answers to a burst of calls. */
const PAUSE_MS = 250;
/** Maximum number of unwritten lines. The limit bounds memory, because each line keeps its statement. */
const MAX_WAITING = 1000;

/**
 * Logs each call: tool, client and subject, database, fingerprint of the statement, outcome and duration. Statements that differ only
 * in their values have the same fingerprint. The log contains no values, and no names except the names of tools, principals and databases.
 */
export class Audit implements AsyncDisposable {
  readonly #log: OperatorLog;
  readonly #isDatabase: (id: string) => boolean;
  #waiting: EndedCall[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  /** @param isDatabase returns whether a text of a client is the id of a database */
  constructor(log: OperatorLog, isDatabase: (id: string) => boolean) {
    this.#log = log;
    this.#isDatabase = isDatabase;
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
    const facts = {
      client,
      subject,
      database: database !== undefined && this.#isDatabase(database) ? database : undefined,
      fingerprint: sql === undefined ? undefined : await computeFingerprint(sql),
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

/** Quotes a text that could forge a fact in a line of the audit. For example, the issuer of a token chooses the names in the token. */
function quoteUnsafe(value: string): string {
  return /^[\w.:@/-]{1,200}$/.test(value) ? value : JSON.stringify(value.slice(0, 200));
}

/** Maximum length of a statement with a fingerprint. A longer statement would take 0.1 s or more. */
const MAX_LENGTH = 32_768;

const known = new TextCache(fingerprintText);

/**
 * Returns the fingerprint of a statement as 16 hexadecimal digits, or the reason why the statement has no fingerprint. Statements
 * that differ only in their values have the same fingerprint.
 */
async function computeFingerprint(sql: string): Promise<string> {
  return sql.length > MAX_LENGTH ? 'too-long' : known.getOrCompute(sql);
}

async function fingerprintText(sql: string): Promise<string> {
  try {
    requireParsable(sql);
    const digest = await computeDigest(sql);
    // Any other text is an error message, which may quote the statement.
    return /^[0-9a-f]{16}$/.test(digest) ? digest : 'none';
  } catch {
    return 'none';
  }
}
