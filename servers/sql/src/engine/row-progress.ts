import type { RequestContext } from '@org/mcp-decorators';

import { sizeText } from '../rows/size-text.ts';

/** Minimum time between two reports of rows, in ms. */
const REPORT_MS = 100;
/** Time between two reports before the first row, in ms. */
const WAIT_MS = 1000;

/** Reports the progress of a statement: before the first row how long the statement has run, then the number of rows read. */
export class RowProgress implements Disposable {
  /** Expected number of rows. Reports contain the number until more than twice as many rows have been read. */
  total: number | undefined;
  readonly #context: RequestContext;
  readonly #waiting: Disposable;
  #rows = 0;
  #bytes = 0;
  #reportedAt = 0;

  /**
   * @param waiting reports the progress before the first row, and is disposed of when the first row arrives. Default: reports the
   * elapsed time each second
   */
  constructor(context: RequestContext, waiting: Disposable = reportWait(context)) {
    this.#context = context;
    this.#waiting = waiting;
  }

  /** Adds `rows` to the number of rows read, and `bytes` to their size. Without `bytes`, reports omit the size. */
  add(rows: number, bytes = 0): void {
    if (this.#rows === 0) this.#waiting[Symbol.dispose]();
    this.#rows += rows;
    this.#bytes += bytes;
    if (!this.#context.progressWanted) return;
    const now = performance.now();
    if (now - this.#reportedAt < REPORT_MS) return;
    this.#reportedAt = now;
    this.#report();
  }

  [Symbol.dispose](): void {
    this.#waiting[Symbol.dispose]();
    if (this.#rows > 0 && this.#context.progressWanted) this.#report();
  }

  #report(): void {
    const total = this.total === undefined || this.#rows > 2 * this.total ? undefined : this.total;
    const of = total === undefined ? '' : ` of ~${total}`;
    const bytes = this.#bytes === 0 ? '' : `, ${sizeText(this.#bytes)}`;
    const noun = (total ?? this.#rows) === 1 ? 'row' : 'rows';
    this.#context.progress(this.#rows, total, `${this.#rows}${of} ${noun} read${bytes}`);
  }
}

function reportWait(context: RequestContext): Disposable {
  const started = performance.now();
  const timer = setInterval(() => {
    const ms = performance.now() - started;
    context.progress(approachOne(ms), undefined, `waiting for the first row for ${Math.round(ms / 1000)} s`);
  }, WAIT_MS).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** Returns a progress from 0 to 1 for work of unknown duration. The progress grows with time and never reaches 1. */
export function approachOne(ms: number): number {
  return ms / (ms + WAIT_MS);
}
