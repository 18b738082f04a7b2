const DEFINITION_ERROR = Symbol.for('@org/mcp-decorators/definition-error');

/** Lists all mistakes in the annotations of a server class; thrown before the server starts. */
export class DefinitionError extends Error {
  static {
    Object.defineProperty(this.prototype, DEFINITION_ERROR, { value: true });
  }

  override readonly name: string = 'DefinitionError';
  /** One line per mistake: `Class.member: problem and remedy`. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }

  /** Whether an error is a `DefinitionError` of any installed copy of this package. */
  static is(error: unknown): error is DefinitionError {
    return error instanceof Error && DEFINITION_ERROR in error;
  }
}
