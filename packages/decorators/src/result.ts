const RESULT = Symbol.for('@org/mcp-decorators/result');

/** Facts about a result that are not for the model to read, sent in `_meta`; must be JSON. */
export type Facts = Readonly<Record<string, unknown>>;

/**
 * A tool's result where a plain string or object does not say enough.
 *
 * Made by {@link Result.text} for bodies and by {@link Result.of} for structured content with a text of its own.
 */
export class Result {
  static {
    Object.defineProperty(this.prototype, RESULT, { value: true });
  }

  /** Text blocks, in order. */
  readonly texts: readonly string[];
  /** Structured content, before it is reduced to the declared properties of the `output` class. */
  readonly structured: object | undefined;
  /** What is sent in `_meta`. */
  readonly facts: Facts | undefined;

  private constructor(texts: readonly string[], structured: object | undefined, facts: Facts | undefined) {
    this.texts = texts;
    this.structured = structured;
    this.facts = facts;
  }

  /**
   * A body sent once, as text, with `facts` about it in `_meta` and, where there is something to say of it, a `note` as a second
   * block. Not for a tool with an `output` class, which has to return structured content.
   */
  static text(body: string, options: { readonly note?: string; readonly facts?: Facts } = {}): Result {
    return new Result(options.note === undefined ? [body] : [body, options.note], undefined, options.facts);
  }

  /**
   * Structured content, and the complete text that hosts show the model instead of its JSON. Where the tool has an `output` class,
   * only its declared properties are sent.
   */
  static of(structured: object, text: string): Result {
    return new Result([text], structured, undefined);
  }

  /** Recognises a `Result` of any installed copy of this package. */
  static is(value: unknown): value is Result {
    return typeof value === 'object' && value !== null && RESULT in value;
  }
}
