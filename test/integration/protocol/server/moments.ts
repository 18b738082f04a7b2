interface Moment {
  readonly reached: Promise<void>;
  readonly reach: () => void;
}

/** Events that calls can await, by name; each event happens once. */
export class Moments {
  readonly #moments = new Map<string, Moment>();

  reach(name: string): void {
    this.#named(name).reach();
  }

  reached(name: string): Promise<void> {
    return this.#named(name).reached;
  }

  #named(name: string): Moment {
    const known = this.#moments.get(name);
    if (known !== undefined) return known;
    let settle: () => void = () => undefined;
    const reached = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const moment = { reached, reach: () => settle() };
    this.#moments.set(name, moment);
    return moment;
  }
}
