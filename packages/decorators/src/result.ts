import { textBlock } from './text-block.ts';

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

/** What goes with the body of {@link Result.text}. */
export interface TextOptions {
  /** What the model has to know of the body, such as how to read on: the last line of the block, in brackets. */
  readonly note?: string | undefined;
  /** First line of the block if the body is JSON, such as `package.json, 12 lines`. Default: `Text`. */
  readonly title?: string | undefined;
  readonly facts?: Facts;
  readonly links?: readonly ResourceLink[] | undefined;
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
   * A body sent once, in one text block, with `facts` about it in `_meta` and `links` to resources behind it. Not for a tool with an
   * `output` class, which has to return structured content.
   *
   * The block is never empty, and JSON as its body begins with a line of its own: some hosts parse a text that is JSON.
   */
  static text(body: string, { links, facts, ...around }: TextOptions = {}): Result {
    return new Result([textBlock(body, around)], { facts, ...(links && { links }) });
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
