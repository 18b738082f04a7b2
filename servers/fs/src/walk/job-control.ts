/** Number of steps between two checks of the clock. */
const STEPS = 32;
/** Milliseconds after which found items are reported, even if fewer than 512 were found. */
const FLUSH_MS = 50;
/** Found items are reported in batches of 512, so that the main thread can process them while the job continues. */
const FLUSH_ITEMS = 512;

/** Controls one job in its worker thread: decides when it stops, and reports the items that it finds. */
export class JobControl<Item> {
  readonly #stop: Int32Array;
  readonly #deadline: number;
  readonly #report: (items: readonly Item[], scanned: number) => void;
  #items: Item[] = [];
  #reportedAt: number = performance.now();
  #steps = 0;
  #isOver = false;
  /** Number of examined entries. */
  scanned = 0;
  /** The number that is reported as progress instead of `scanned`; `undefined` to report `scanned`. */
  progress: number | undefined;

  constructor(stop: Int32Array, budgetMs: number, report: (items: readonly Item[], scanned: number) => void) {
    this.#stop = stop;
    this.#deadline = performance.now() + budgetMs;
    this.#report = report;
  }

  found(item: Item): void {
    if (this.#items.push(item) === FLUSH_ITEMS) this.flush();
  }

  /**
   * Whether the call was cancelled or its time is over. Only every 32nd read of this property checks this, so reads are cheap.
   */
  get isOver(): boolean {
    this.#steps += 1;
    if (this.#isOver || this.#steps % STEPS !== 0) return this.#isOver;
    return this.checkNow();
  }

  /** Checks immediately whether the call was cancelled or its time is over. Used between steps that take long. */
  checkNow(): boolean {
    const now = performance.now();
    if (Atomics.load(this.#stop, 0) !== 0 || now > this.#deadline) this.#isOver = true;
    if (now - this.#reportedAt > FLUSH_MS) this.flush();
    return this.#isOver;
  }

  flush(): void {
    this.#reportedAt = performance.now();
    this.#report(this.#items, this.progress ?? this.scanned);
    this.#items = [];
  }
}

/** The part of {@link JobControl} that decides when to stop. */
export type Deadline = Pick<JobControl<never>, 'isOver' | 'checkNow' | 'scanned'>;
