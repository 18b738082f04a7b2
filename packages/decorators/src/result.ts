const RESULT = Symbol.for('@org/mcp-decorators/result');

/** Facts about a result that are not for the model to read, sent in `_meta`; must be JSON. */
export type Facts = Readonly<Record<string, unknown>>;

/** A resource that a result points to. */
export interface ResourceLink {
  readonly uri: string;
  /** Of the resource, for people. */
  readonly name: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** In bytes. */
  readonly size?: number;
}

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
  /** Resource links, after the texts. */
  readonly links: readonly ResourceLink[] | undefined;

  private constructor(
    texts: readonly string[],
    { structured, facts, links }: { structured?: object; facts?: Facts | undefined; links?: readonly ResourceLink[] },
  ) {
    this.texts = texts;
    this.structured = structured;
    this.facts = facts;
    this.links = links;
  }

  /**
   * A body sent once, as text, with `facts` about it in `_meta` and, where there is something to say of it, a `note` as a second
   * block. Not for a tool with an `output` class, which has to return structured content.
   */
  static text(body: string, options: { readonly note?: string; readonly facts?: Facts } = {}): Result {
    return new Result(options.note === undefined ? [body] : [body, options.note], { facts: options.facts });
  }

  /**
   * Structured content, and the complete text that hosts show the model instead of its JSON, followed by `links` to resources. Where
   * the tool has an `output` class, only its declared properties are sent.
   */
  static of(structured: object, text: string, options: { readonly links?: readonly ResourceLink[] } = {}): Result {
    return new Result([text], { structured, ...options });
  }

  /** Recognises a `Result` of any installed copy of this package. */
  static is(value: unknown): value is Result {
    return typeof value === 'object' && value !== null && RESULT in value;
  }
}
