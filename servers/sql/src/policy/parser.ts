import type { ParserModule } from 'libpg-query/wasm/libpg-query.js';

import { statementsIn, type Statement } from './syntax-tree.ts';

/** What is wrong with a text that is not SQL, as PostgreSQL would say it: `failure` knows its form. */
export class SyntaxFailure extends Error {
  override readonly name: string = 'SyntaxFailure';
  readonly severity: string = 'ERROR';
  readonly code: string = '42601';
  /** In characters, from 1. */
  readonly position: string | undefined;

  constructor(message: string, position: number) {
    super(message);
    this.position = position > 0 ? String(position) : undefined;
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
  loading ??= load();
  const loaded = loading;
  try {
    return statementsIn(JSON.parse(treeOf(sql, await loaded)));
  } catch (error) {
    if (error instanceof SyntaxFailure) throw error;
    discard(loaded);
    throw new ParserExhausted('the statement is nested too deeply or too large to be parsed', { cause: error });
  }
}

let loading: Promise<ParserModule> | undefined;

async function load(): Promise<ParserModule> {
  const { default: instantiate } = await import('libpg-query/wasm/libpg-query.js');
  return instantiate({ print: ignore, printErr: ignore });
}

function ignore(): void {
  // What it prints on its end would be taken for messages of the protocol.
}

// One that was left in the middle of its work keeps the memory of it and trusts a stack that is no more.
function discard(loaded: Promise<ParserModule>): void {
  if (loading === loaded) loading = undefined;
}

function treeOf(sql: string, parser: ParserModule): string {
  const bytes = parser.lengthBytesUTF8(sql) + 1;
  const text = parser._malloc(bytes);
  parser.stringToUTF8(sql, text, bytes);
  // oxlint-disable-next-line no-restricted-properties -- kept as it is
  const { exitCode } = process;
  try {
    const result = parser._wasm_parse_query_raw(text);
    try {
      return readResult(result, parser);
    } finally {
      parser._wasm_free_parse_result(result);
      parser._free(text);
      if (parser.HEAPU8.length > KEPT_BYTES) loading = undefined;
    }
  } finally {
    // Where it cannot go on it believes itself a program of its own, and sets how that ended.
    // oxlint-disable-next-line no-restricted-properties -- given back as it was
    process.exitCode = exitCode;
  }
}

/** The memory of a parser never shrinks; one that has grown to more than this is replaced. */
const KEPT_BYTES = 64 * 2 ** 20;

function readResult(result: number, parser: ParserModule): string {
  const [tree = 0, , error = 0] = [0, 4, 8].map((offset) => parser.getValue(result + offset, 'i32'));
  if (error === 0) return parser.UTF8ToString(tree);
  const message = parser.UTF8ToString(parser.getValue(error, 'i32'));
  // Its stack of states is bounded, and so is its memory: that says nothing of the statement.
  if (/^(memory exhausted|out of memory|stack depth)/.test(message)) throw new RangeError(message);
  throw new SyntaxFailure(message, parser.getValue(error + 16, 'i32'));
}
