import { parseSql } from './parser.ts';
import { SendableSql } from './sendable-sql.ts';
import type { Statement } from './syntax-tree.ts';

/** The statements of a text, and the part of the text that is sent. */
export interface ParsedStatement {
  /** The statements of the text. If the text has exactly one statement, that statement as parsed from `sql`. */
  readonly statements: readonly Statement[];
  /** If the text has exactly one statement, the text up to the final semicolon. Otherwise the whole text. */
  readonly sql: SendableSql;
}

/**
 * Parses the text of a caller and removes what follows its only statement, at the length that the parser reports. The remaining
 * text is parsed again, so that the tree always belongs to exactly the text that is sent.
 *
 * @param before SQL of this program that is sent before the text
 * @throws errors of `parseSql`
 */
export async function parseStatement(text: string, before = ''): Promise<ParsedStatement> {
  const statements = await parseSql(before + text);
  const [statement, ...others] = statements;
  if (statement?.bytes === undefined || others.length > 0) return { statements, sql: SendableSql.admitted(text) };
  // The parser counts bytes, but a JavaScript string counts UTF-16 code units.
  const whole = Buffer.from(before + text).subarray(0, statement.start + statement.bytes);
  const cut = whole.toString();
  return { statements: await parseSql(cut), sql: SendableSql.admitted(cut.slice(before.length)) };
}
