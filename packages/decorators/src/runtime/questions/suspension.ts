const SUSPENSION = Symbol.for('@org/mcp-decorators/suspension');

/** Thrown out of a handler that needs an answer of the client first; the handler runs again with the answer. */
export class Suspension extends Error {
  static {
    Object.defineProperty(this.prototype, SUSPENSION, { value: true });
  }

  override readonly name: string = 'Suspension';

  constructor() {
    super('the handler waits for an answer of the client; it is run again with it');
  }

  /** Recognises a `Suspension` of any installed copy of this package. */
  static is(error: unknown): error is Suspension {
    return error instanceof Error && SUSPENSION in error;
  }
}
