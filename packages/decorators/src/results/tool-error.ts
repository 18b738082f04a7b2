const TOOL_ERROR = Symbol.for('@org/mcp-decorators/tool-error');

/** Options for a {@link ToolError}. */
export interface ToolErrorOptions {
  /** Suggests a remedy; shown on a line of its own. */
  readonly hint?: string;
  /** JSON facts for programs, sent in `_meta.error.data` to clients that get structured content. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** The underlying error; never sent to the client. */
  readonly cause?: unknown;
}

/**
 * A failure whose message is written for the model and safe to show: the client receives `CODE: message` and the hint.
 *
 * Any other thrown value is reported to the client only as an internal error.
 */
export class ToolError extends Error {
  static {
    Object.defineProperty(this.prototype, TOOL_ERROR, { value: true });
  }

  override readonly name: string = 'ToolError';
  /** Stable upper-case code, for instance `NOT_FOUND`. */
  readonly code: string;
  /** Suggests a remedy; the second line of {@link ToolError.text}. */
  readonly hint: string | undefined;
  /** Facts for programs, sent in `_meta.error.data`. */
  readonly data: Readonly<Record<string, unknown>> | undefined;

  /** `message` describes the failure to the model. It must not contain secrets or data of other clients. */
  constructor(code: string, message: string, options: ToolErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.data = options.data;
  }

  /** Whether an error is a `ToolError` of any installed copy of this package. */
  static is(error: unknown): error is ToolError {
    return error instanceof Error && TOOL_ERROR in error;
  }

  /** `CODE: message`, and the hint on a second line. */
  get text(): string {
    const first = `${this.code}: ${this.message}`;
    return this.hint === undefined ? first : `${first}\n${this.hint}`;
  }
}
