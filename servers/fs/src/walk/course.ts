/** Looked at the clock once in so many steps. */
const STEPS = 32;
/** What was found is told at least so often, */
const TOLD_MS = 50;
/** and whenever it is so much: who waits for it can then work on it meanwhile. */
const TOLD = 512;

/** The course of one job in its thread: whether it has to stop, and what it has to tell meanwhile. */
export class Course<Item> {
  readonly #stop: Int32Array;
  readonly #deadline: number;
  readonly #tell: (items: readonly Item[], scanned: number) => void;
  #items: Item[] = [];
  #told: number = performance.now();
  #steps = 0;
  #isOver = false;
  /** Entries looked at. */
  scanned = 0;
  /** What is told of as progress instead. */
  progress: number | undefined;

  constructor(stop: Int32Array, budgetMs: number, tell: (items: readonly Item[], scanned: number) => void) {
    this.#stop = stop;
    this.#deadline = performance.now() + budgetMs;
    this.#tell = tell;
  }

  found(item: Item): void {
    if (this.#items.push(item) === TOLD) this.flush();
  }

  /** Whether there is nobody left who waits, or no time; cheap enough to be asked at each entry. */
  get isOver(): boolean {
    this.#steps += 1;
    if (this.#isOver || this.#steps % STEPS !== 0) return this.#isOver;
    return this.lookUp();
  }

  /** The same, for steps that take longer. */
  lookUp(): boolean {
    const now = performance.now();
    if (Atomics.load(this.#stop, 0) !== 0 || now > this.#deadline) this.#isOver = true;
    if (now - this.#told > TOLD_MS) this.flush();
    return this.#isOver;
  }

  flush(): void {
    this.#told = performance.now();
    this.#tell(this.#items, this.progress ?? this.scanned);
    this.#items = [];
  }
}

/** Of a course what says how long to go on. */
export type Pace = Pick<Course<never>, 'isOver' | 'lookUp' | 'scanned'>;
