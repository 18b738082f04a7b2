const TOOL_ERROR = Symbol.for('@org/mcp-decorators/tool-error');
const DEFINITION_ERROR = Symbol.for('@org/mcp-decorators/definition-error');

/** What a {@link ToolError} carries besides its code and message. */
export interface ToolErrorOptions {
  /** What to do about it, shown on a line of its own. */
  readonly hint?: string;
  /** Facts for programs, sent in `_meta.error.data` to clients that get structured content; must be JSON. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** The error behind this one; it never reaches the client. */
  readonly cause?: unknown;
}

/**
 * A failure written for the model and safe to show: the client receives `CODE: message` and the hint.
 *
 * Everything else that is thrown is reported to the client only as an internal error.
 */
export class ToolError extends Error {
  static {
    Object.defineProperty(this.prototype, TOOL_ERROR, { value: true });
  }

  override readonly name: string = 'ToolError';
  /** Upper-case and stable, for instance `NOT_FOUND`. */
  readonly code: string;
  /** What to do about it; the second line of {@link ToolError.text}. */
  readonly hint: string | undefined;
  /** Facts for programs, sent in `_meta.error.data`. */
  readonly data: Readonly<Record<string, unknown>> | undefined;

  /** `message` says what went wrong in words that the model may see: no secrets, nothing of other clients. */
  constructor(code: string, message: string, options: ToolErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.data = options.data;
  }

  /** Recognises a `ToolError` of any installed copy of this package. */
  static is(error: unknown): error is ToolError {
    return error instanceof Error && TOOL_ERROR in error;
  }

  /** `CODE: message`, and the hint on a second line. */
  get text(): string {
    const first = `${this.code}: ${this.message}`;
    return this.hint === undefined ? first : `${first}\n${this.hint}`;
  }
}

/** Everything that is wrong with how a server class is annotated, in one error; thrown before anything is served. */
export class DefinitionError extends Error {
  static {
    Object.defineProperty(this.prototype, DEFINITION_ERROR, { value: true });
  }

  override readonly name: string = 'DefinitionError';
  /** One line for each mistake: `Class.member: what is wrong and the remedy`. */
  readonly problems: readonly string[];

  /** The lines become the message, joined by line breaks. */
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }

  /** Recognises a `DefinitionError` of any installed copy of this package. */
  static is(error: unknown): error is DefinitionError {
    return error instanceof Error && DEFINITION_ERROR in error;
  }
}
