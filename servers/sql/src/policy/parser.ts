import { createRequire } from 'node:module';

import type { ParserModule } from 'libpg-query/wasm/libpg-query.js';

import { statementsIn, type Statement } from './syntax-tree.ts';

/** What is wrong with a text that is not SQL, as PostgreSQL would say it: `failure` knows its form. */
export class SyntaxFailure extends Error {
  override readonly name: string = 'SyntaxFailure';
  readonly severity: string = 'ERROR';
  readonly code: string = '42601';
  /** In characters, from 1. */
  readonly position: string | undefined;
  readonly #position: number;

  constructor(message: string, position: number) {
    super(message);
    this.position = position > 0 ? String(position) : undefined;
    this.#position = position;
  }

  /** The same of a text that these words are not counted of. */
  after(words: string): SyntaxFailure {
    return new SyntaxFailure(this.message, Math.max(1, this.#position - words.length));
  }
}

/** The parser gave up: a statement is nested too deeply, or too large for its memory. */
export class ParserExhausted extends Error {
  override readonly name: string = 'ParserExhausted';
}

/**
 * The statements of a text, as PostgreSQL 18 parses it; loads the parser when first called, 20–45 ms.
 *
 * The text must have been bounded (`requireParsable`): what it costs is up to whoever wrote it, and nothing can interrupt it.
 *
 * @throws SyntaxFailure or ParserExhausted
 */
export async function parseSql(sql: string): Promise<readonly Statement[]> {
  return parsed(sql, (text, parser) => statementsIn(JSON.parse(treeOf(text, parser))));
}

/**
 * The fingerprint of a text, of which the same is to be bounded as for `parseSql`; a sentence if there is none.
 *
 * @throws ParserExhausted
 */
export async function digestOfTree(sql: string): Promise<string> {
  return parsed(sql, (text, parser) => {
    const result = parser._wasm_fingerprint(text);
    try {
      return parser.UTF8ToString(result);
    } finally {
      parser._wasm_free_string(result);
    }
  });
}

/** Has the parser loaded, and what it compiles when it is first used, before anybody waits for it. */
export async function warmParser(): Promise<void> {
  await parseSql('select 1');
}

/** Makes something of a text with a parser that goes on after that, or else is replaced. */
async function parsed<Made>(sql: string, make: (text: number, parser: ParserModule) => Made): Promise<Made> {
  loading ??= load();
  const loaded = loading;
  try {
    return within(sql, await loaded, make);
  } catch (error) {
    if (error instanceof SyntaxFailure) throw error;
    discard(loaded);
    throw new ParserExhausted('the statement is nested too deeply or too large to be parsed', { cause: error });
  }
}

let loading: Promise<ParserModule> | undefined;

async function load(): Promise<ParserModule> {
  // Whoever connects has begun to by then: the database works for as long as this takes.
  await new Promise((resolve) => setImmediate(resolve));
  const [{ default: instantiate }, { setFlagsFromString }] = await Promise.all([
    import('libpg-query/wasm/libpg-query.js'),
    import('node:v8'),
  ]);
  // Its functions are so large that optimising them takes other threads 0.2 s within the first calls, and saves 4 µs a text. The
  // bundle's start knows of this flag.
  setFlagsFromString('--liftoff-only');
  return instantiate({ locateFile, print: ignore, printErr: ignore });
}

// It would look beside itself, which is in the bundle.
function locateFile(name: string): string {
  return createRequire(import.meta.url).resolve(`libpg-query/wasm/${name}`);
}

function ignore(): void {
  // What it prints on its end would be taken for messages of the protocol.
}

// One that was left in the middle of its work keeps the memory of it and trusts a stack that is no more.
function discard(loaded: Promise<ParserModule>): void {
  if (loading === loaded) loading = undefined;
}

function within<Made>(sql: string, parser: ParserModule, make: (text: number, parser: ParserModule) => Made): Made {
  const bytes = parser.lengthBytesUTF8(sql) + 1;
  const text = parser._malloc(bytes);
  parser.stringToUTF8(sql, text, bytes);
  // oxlint-disable-next-line no-restricted-properties -- kept as it is
  const { exitCode } = process;
  try {
    try {
      return make(text, parser);
    } finally {
      parser._free(text);
      if (parser.HEAPU8.length > KEPT_BYTES) loading = undefined;
    }
  } finally {
    // Where it cannot go on it believes itself a program of its own, and sets how that ended.
    // oxlint-disable-next-line no-restricted-properties -- given back as it was
    process.exitCode = exitCode;
  }
}

function treeOf(text: number, parser: ParserModule): string {
  const result = parser._wasm_parse_query_raw(text);
  try {
    return readResult(result, parser);
  } finally {
    parser._wasm_free_parse_result(result);
  }
}

/** What a parser begins with, most of it untouched. It never shrinks: one that has grown is replaced. */
const KEPT_BYTES = 128 * 2 ** 20;

function readResult(result: number, parser: ParserModule): string {
  const [tree = 0, , error = 0] = [0, 4, 8].map((offset) => parser.getValue(result + offset, 'i32'));
  if (error === 0) return parser.UTF8ToString(tree);
  const message = parser.UTF8ToString(parser.getValue(error, 'i32'));
  // Its stack of states is bounded, and so is its memory: that says nothing of the statement.
  if (/^(memory exhausted|out of memory|stack depth)/.test(message)) throw new RangeError(message);
  throw new SyntaxFailure(message, parser.getValue(error + 16, 'i32'));
}
