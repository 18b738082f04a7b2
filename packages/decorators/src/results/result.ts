const RESULT = Symbol.for('@org/mcp-decorators/result');

/** JSON facts about a result for programs rather than the model; sent in `_meta`. */
export type Facts = Readonly<Record<string, unknown>>;

/** Returns JSON data for the view of a tool, which the model does not see. */
export type ViewData = () => object | Promise<object>;

/** A link from a result to a resource. */
export interface ResourceLink {
  readonly uri: string;
  /** Name of the resource for people. */
  readonly name: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Size of the resource in bytes. */
  readonly size?: number;
}

/** Options for {@link Result.text}. */
export interface TextOptions {
  /** Note for the model, such as how to read on: the last line of the text, in brackets. */
  readonly note?: string | undefined;
  /** First line if the body is JSON, such as `package.json, 12 lines`. Default: `Text`. */
  readonly title?: string | undefined;
  readonly facts?: Facts;
  readonly links?: readonly ResourceLink[] | undefined;
  /**
   * Called only if the client shows the view of the tool. Sent as `_meta.view`, with the names of the tools that the view can call in
   * `tools`, and with the structured content in `structured` if the client gets only the text.
   */
  readonly forView?: ViewData | undefined;
}

/** Options for {@link Result.of}. */
export type StructuredOptions = Pick<TextOptions, 'links' | 'forView'>;

interface ResultParts extends StructuredOptions {
  readonly structured?: object;
  readonly facts?: Facts | undefined;
}

/**
 * Result of a tool with more than a string or an object.
 *
 * Created by {@link Result.text} for bodies and by {@link Result.of} for structured content with its own text.
 */
export class Result {
  static {
    Object.defineProperty(this.prototype, RESULT, { value: true });
  }

  /** Text blocks, in order. */
  readonly texts: readonly string[];
  /** Structured content, before it is reduced to the declared properties of the `output` class. */
  readonly structured: object | undefined;
  /** Sent in `_meta`. */
  readonly facts: Facts | undefined;
  /** Resource links; sent after the texts. */
  readonly links: readonly ResourceLink[] | undefined;
  /** Data for the view of the tool. */
  readonly forView: ViewData | undefined;

  private constructor(texts: readonly string[], { structured, facts, links, forView }: ResultParts) {
    this.texts = texts;
    this.structured = structured;
    this.facts = facts;
    this.links = links;
    this.forView = forView;
  }

  /**
   * Creates a result with a body in one text block, `facts` about the body in `_meta`, and `links` to resources after it. A tool
   * with an `output` class must use {@link Result.of} instead.
   *
   * The block is never empty, and a JSON body follows a line of its own, because some hosts parse a text that is JSON.
   */
  static text(body: string, { links, facts, forView, ...around }: TextOptions = {}): Result {
    return new Result([formatTextBlock(body, around)], { facts, links, forView });
  }

  /**
   * Creates a result with structured content and the complete text that hosts show the model instead of its JSON, followed by
   * `links` to resources. If the tool has an `output` class, only its declared properties are sent.
   */
  static of(structured: object, text: string, options: StructuredOptions = {}): Result {
    return new Result([text], { structured, ...options });
  }

  /** Whether a value is a `Result` of any installed copy of this package. */
  static is(value: unknown): value is Result {
    return typeof value === 'object' && value !== null && RESULT in value;
  }
}

/** Lines around a body. */
interface TextBlockOptions {
  readonly note?: string | undefined;
  readonly title?: string | undefined;
}

/** Matches a last line that looks like a note of the server. */
const LIKE_A_NOTE = /(?:^|\n)\[[^\n]*\]\r?\n?$/;

/**
 * Joins a body with its title and its note. A last line in brackets must come from the server, so a body that ends with such a line
 * gets a note too.
 */
export function formatTextBlock(body: string, { note = createNote(body), title = 'Text' }: TextBlockOptions): string {
  if (note === undefined) return isJson(body) ? `${title}:\n${body}` : body;
  const block = `${body}${body === '' || body.endsWith('\n') ? '' : '\n'}[${note}]`;
  return isJson(block) || isJson(body) ? `${title}:\n${block}` : block;
}

/** Whether a host could parse a text as JSON. */
function isJson(text: string): boolean {
  const trimmed = text.trim();
  if (!/^["{[\-\dtfn]/.test(trimmed)) return false;
  try {
    JSON.parse(trimmed);
    return true;
  } catch {
    return false;
  }
}

function createNote(body: string): string | undefined {
  if (body === '') return 'The text is empty.';
  if (!LIKE_A_NOTE.test(body) || isJson(body)) return undefined;
  return body.endsWith('\n') ? 'The text ends here.' : 'The text ends here, without a line break.';
}
