import { createRequire } from 'node:module';

import type { default as createParser, ParserModule } from 'libpg-query/wasm/libpg-query.js';

import { toStatements, type Statement } from './syntax-tree.ts';

/** The parser is not bundled, because it consists of a script and a WebAssembly module beside the script. */
const installed = createRequire(import.meta.url);

/** A syntax error, with the properties of an error of PostgreSQL, so that `translateError` can convert it. */
export class SyntaxFailure extends Error {
  override readonly name: string = 'SyntaxFailure';
  readonly severity: string = 'ERROR';
  readonly code: string = '42601';
  /** Position in characters, starting at 1. */
  readonly position: string | undefined;
  readonly #position: number;

  constructor(message: string, position: number) {
    super(message);
    this.position = position > 0 ? String(position) : undefined;
    this.#position = position;
  }

  /** Returns the same error with a position that does not count the SQL before the text. */
  after(words: string): SyntaxFailure {
    return new SyntaxFailure(this.message, Math.max(1, this.#position - words.length));
  }
}

/** The parser failed because a statement is nested too deeply, or too large for the parser's memory. */
export class ParserExhausted extends Error {
  override readonly name: string = 'ParserExhausted';
}

/**
 * Parses a text with the grammar of PostgreSQL 18, and returns its statements. The first call loads the parser, which takes 20–45
 * ms.
 *
 * Callers must check the text with `requireParsable` first, because parsing cannot be interrupted and its time depends on the text.
 *
 * @throws SyntaxFailure for a syntax error; ParserExhausted if the text is nested too deeply or too large
 */
export async function parseSql(sql: string): Promise<readonly Statement[]> {
  return withParser(sql, (text, parser) => toStatements(JSON.parse(readTree(text, parser))));
}

/**
 * Returns the fingerprint of a text, or an error message. Callers must check the text as for `parseSql`.
 *
 * @throws ParserExhausted if the text is nested too deeply or too large
 */
export async function computeDigest(sql: string): Promise<string> {
  return withParser(sql, (text, parser) => {
    const result = parser._wasm_fingerprint(text);
    try {
      return parser.UTF8ToString(result);
    } finally {
      parser._wasm_free_string(result);
    }
  });
}

/** Loads and compiles the parser before the first call needs the parser. */
export async function warmParser(): Promise<void> {
  await loadOnce();
}

/** Runs a function with the parser. If the function fails, except on a syntax error, the parser is replaced. */
async function withParser<Made>(sql: string, make: (text: number, parser: ParserModule) => Made): Promise<Made> {
  const loaded = loadOnce();
  const parser = await loaded;
  try {
    return runInParser(sql, parser, make);
  } catch (error) {
    if (error instanceof SyntaxFailure) throw error;
    discard(loaded);
    throw new ParserExhausted('the statement is nested too deeply or too large to be parsed', { cause: error });
  }
}

let loading: Promise<ParserModule> | undefined;

function loadOnce(): Promise<ParserModule> {
  if (loading !== undefined) return loading;
  const loaded = load();
  loaded.catch(() => discard(loaded));
  loading = loaded;
  return loaded;
}

/** Flags of V8 that restore the defaults which `--liftoff-only` changes. */
const DEFAULT_FLAGS = ['--no-liftoff-only', '--wasm-tier-up', '--wasm-dynamic-tiering'];

async function load(): Promise<ParserModule> {
  // The pause lets a caller start to connect first, so that the database works while the parser loads.
  await new Promise((resolve) => setImmediate(resolve));
  const { setFlagsFromString } = await import('node:v8');
  const instantiate: typeof createParser = installed('libpg-query/wasm/libpg-query.js');
  // Optimizing the large functions of the module takes other threads 0.4 s during the first calls, and saves only 4 µs per text.
  setFlagsFromString('--liftoff-only');
  try {
    const parser = await instantiate({ locateFile, print: ignore, printErr: ignore });
    // Compiles the functions that every text needs.
    runInParser('select 1', parser, readTree);
    return parser;
  } finally {
    // The flags are restored, because V8 rejects code that Node.js has cached if the flags differ from the flags at the start.
    for (const flag of DEFAULT_FLAGS) setFlagsFromString(flag);
  }
}

// Without this function, the module would search for its WebAssembly file beside the bundle.
function locateFile(name: string): string {
  return installed.resolve(`libpg-query/wasm/${name}`);
}

function ignore(): void {
  // Output of a failing module would corrupt the protocol on stdout.
}

// The next call loads another parser, because a parser that was interrupted by an exception leaks memory, and its stack pointer
// is wrong.
function discard(loaded: Promise<ParserModule>): void {
  if (loading === loaded) loading = undefined;
}

function runInParser<Made>(sql: string, parser: ParserModule, make: (text: number, parser: ParserModule) => Made): Made {
  const bytes = parser.lengthBytesUTF8(sql) + 1;
  const text = parser._malloc(bytes);
  parser.stringToUTF8(sql, text, bytes);
  // oxlint-disable-next-line no-restricted-properties -- saved, because the module may change it
  const { exitCode } = process;
  try {
    try {
      return make(text, parser);
    } finally {
      parser._free(text);
      if (parser.HEAPU8.length > KEPT_BYTES) loading = undefined;
    }
  } finally {
    // When the module aborts, Emscripten sets the exit code of the process.
    // oxlint-disable-next-line no-restricted-properties -- restored
    process.exitCode = exitCode;
  }
}

function readTree(text: number, parser: ParserModule): string {
  const result = parser._wasm_parse_query_raw(text);
  try {
    return readResult(result, parser);
  } finally {
    parser._wasm_free_parse_result(result);
  }
}

/** Initial memory of a parser, most of it unused. The memory never shrinks, so a parser that has grown is replaced. */
const KEPT_BYTES = 128 * 2 ** 20;

function readResult(result: number, parser: ParserModule): string {
  const [tree = 0, , error = 0] = [0, 4, 8].map((offset) => parser.getValue(result + offset, 'i32'));
  if (error === 0) return parser.UTF8ToString(tree);
  const message = parser.UTF8ToString(parser.getValue(error, 'i32'));
  // These messages mean that the parser reached its own limits, not that the syntax is wrong.
  if (/^(memory exhausted|out of memory|stack depth)/.test(message)) throw new RangeError(message);
  throw new SyntaxFailure(message, parser.getValue(error + 16, 'i32'));
}
