import { inspect } from 'node:util';

import { redact } from './redact.ts';

/** Log levels, least severe first; `off` disables the log. */
export const LOG_LEVELS = ['debug', 'info', 'warning', 'error', 'off'] as const;
/** Formats of the log. */
export const LOG_FORMATS = ['text', 'json'] as const;

/** Minimum severity of log entries; `off` disables the log. */
export type LogLevel = (typeof LOG_LEVELS)[number];
/** Format of a log entry: text, or one line of JSON. */
export type LogFormat = (typeof LOG_FORMATS)[number];

type Severity = Exclude<LogLevel, 'off'>;

/**
 * Maximum number of log lines per second; further lines are dropped and counted, so that a client in a loop cannot fill
 * the operator's disk.
 */
const LINES_PER_SECOND = 100;

/**
 * Maximum length of a log message in characters; longer messages are truncated, because an invalid line from a client
 * may have 10 MiB.
 */
const MAX_MESSAGE = 4096;

/** Maximum number of causes that are logged, because an error may be its own cause. */
const MAX_CAUSES = 10;

export interface LogOptions {
  readonly level: LogLevel;
  readonly format: LogFormat;
  readonly write: (line: string) => void;
}

/** The methods of the process log with which a server object reports to the operator. */
export interface OperatorLog {
  info(message: string): void;
  warning(message: string): void;
  /** Writes an audit entry if the level of the log includes `info`. The limit of 100 entries per second does not apply. */
  audit(message: string): void;
}

/** The log of the process. Entries are redacted, and rate-limited except for audit entries. In text format, continuation lines are indented. */
export class Log {
  readonly #options: LogOptions;
  #second = 0;
  #lines = 0;
  #dropped = 0;

  constructor(options: LogOptions) {
    this.#options = options;
  }

  debug(message: string): void {
    this.#line('debug', message);
  }

  info(message: string): void {
    this.#line('info', message);
  }

  warning(message: string): void {
    this.#line('warning', message);
  }

  /** Writes an audit entry if the level of the log includes `info`. Audit entries are not rate-limited. */
  audit(message: string): void {
    if (this.#isLogged('info')) this.#writeRedacted('info', message);
  }

  /** Logs an error with its stack and its causes. */
  error(message: string, error?: unknown): void {
    this.#line('error', error === undefined ? message : `${message}: ${explain(error)}`);
  }

  #line(severity: Severity, message: string): void {
    if (this.#isLogged(severity) && this.#admits()) this.#writeRedacted(severity, message);
  }

  #isLogged(severity: Severity): boolean {
    return LOG_LEVELS.indexOf(severity) >= LOG_LEVELS.indexOf(this.#options.level);
  }

  #writeRedacted(severity: Severity, message: string): void {
    this.#write(severity, truncate(redact(message.slice(0, 2 * MAX_MESSAGE))));
  }

  #admits(): boolean {
    const second = Math.floor(Date.now() / 1000);
    if (second !== this.#second) {
      const dropped = this.#dropped;
      this.#second = second;
      this.#lines = 0;
      this.#dropped = 0;
      if (dropped > 0) this.#write('warning', `log lines dropped: ${dropped} (limit: ${LINES_PER_SECOND} per second)`);
    }
    this.#lines += 1;
    if (this.#lines > LINES_PER_SECOND) this.#dropped += 1;
    return this.#lines <= LINES_PER_SECOND;
  }

  #write(level: Severity, message: string): void {
    const time = new Date().toISOString();
    const text = `${time} ${level} ${escapeControls(message)}`;
    this.#options.write(`${this.#options.format === 'json' ? JSON.stringify({ time, level, message }) : text}\n`);
  }
}

function truncate(message: string): string {
  return message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message;
}

/** Escapes control characters: in a terminal, they could overwrite another entry or imitate one. */
export function escapeControls(message: string): string {
  const escape = (character: string): string => `\\x${(character.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}`;
  return message.replaceAll(/\r\n?|\n/g, '\n  ').replaceAll(/(?![\n\t])\p{Cc}/gu, escape);
}

function explain(error: unknown): string {
  const errors: string[] = [];
  for (let each = error; each !== undefined && errors.length < MAX_CAUSES; each = each instanceof Error ? each.cause : undefined)
    errors.push(describe(each));
  return errors.join('\ncaused by ');
}

function describe(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.stack ?? inspect(thrown);
  return typeof thrown === 'string' ? thrown : inspect(thrown);
}

/** Returns an error listener that logs the message of each error as a warning. */
export function logFailures(log: OperatorLog): (error: unknown) => void {
  return (error) => log.warning(error instanceof Error ? error.message : String(error));
}
