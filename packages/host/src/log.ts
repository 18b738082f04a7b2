import { inspect } from 'node:util';

import { redact } from './redact.ts';

/** From the least severe to none at all. */
export const LOG_LEVELS = ['debug', 'info', 'warning', 'error', 'off'] as const;
/** The forms of log lines. */
export const LOG_FORMATS = ['text', 'json'] as const;

/** What is less severe is not logged; `off` logs nothing. */
export type LogLevel = (typeof LOG_LEVELS)[number];
/** How a log entry is written: as text, or as one line of JSON. */
export type LogFormat = (typeof LOG_FORMATS)[number];

type Severity = Exclude<LogLevel, 'off'>;

/** More than this in a second is dropped and counted: a client in a loop must not fill the operator's disk. */
const LINES_PER_SECOND = 100;

/** Longer messages are cut: one bad line of a client may have 10 MiB. */
const MAX_MESSAGE = 4096;

/** An error may be its own cause. */
const MAX_CAUSES = 10;

export interface LogOptions {
  readonly level: LogLevel;
  readonly format: LogFormat;
  readonly write: (line: string) => void;
}

/** What the process logs: redacted, and but for the audit rate-limited; in text form, lines after the first of an entry are indented. */
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

  /** A line of level `info` about who did what: it is written however many there are, and takes no other line's place. */
  audit(message: string): void {
    if (this.#isLogged('info')) this.#tell('info', message);
  }

  /** Logs an error with its stack and its causes. */
  error(message: string, error?: unknown): void {
    this.#line('error', error === undefined ? message : `${message}: ${explain(error)}`);
  }

  #line(severity: Severity, message: string): void {
    if (this.#isLogged(severity) && this.#admits()) this.#tell(severity, message);
  }

  #isLogged(severity: Severity): boolean {
    return LOG_LEVELS.indexOf(severity) >= LOG_LEVELS.indexOf(this.#options.level);
  }

  #tell(severity: Severity, message: string): void {
    this.#write(severity, cut(redact(message.slice(0, 2 * MAX_MESSAGE))));
  }

  #admits(): boolean {
    const second = Math.floor(Date.now() / 1000);
    if (second !== this.#second) {
      const dropped = this.#dropped;
      this.#second = second;
      this.#lines = 0;
      this.#dropped = 0;
      if (dropped > 0) this.#write('warning', `${dropped} log lines were dropped, more than ${LINES_PER_SECOND} a second`);
    }
    this.#lines += 1;
    if (this.#lines > LINES_PER_SECOND) this.#dropped += 1;
    return this.#lines <= LINES_PER_SECOND;
  }

  #write(level: Severity, message: string): void {
    const time = new Date().toISOString();
    const text = `${time} ${level} ${visible(message)}`;
    this.#options.write(`${this.#options.format === 'json' ? JSON.stringify({ time, level, message }) : text}\n`);
  }
}

function cut(message: string): string {
  return message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message;
}

/** Without the control characters by which one entry could overwrite or imitate another in a terminal. */
export function visible(message: string): string {
  const escape = (character: string): string => `\\x${(character.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}`;
  return message.replaceAll(/\r\n?|\n/g, '\n  ').replaceAll(/(?![\n\t])\p{Cc}/gu, escape);
}

function explain(error: unknown): string {
  const told: string[] = [];
  for (let each = error; each !== undefined && told.length < MAX_CAUSES; each = each instanceof Error ? each.cause : undefined)
    told.push(describe(each));
  return told.join('\ncaused by ');
}

function describe(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.stack ?? inspect(thrown);
  return typeof thrown === 'string' ? thrown : inspect(thrown);
}
