import { parseSql } from './parser.ts';
import { SendableSql } from './sendable-sql.ts';
import type { Statement } from './syntax-tree.ts';

/** What a text consists of, and the part of it that is sent. */
export interface ParsedStatement {
  /** Parsed from `sql`; all statements of the text unless the text has exactly one. */
  readonly statements: readonly Statement[];
  /** Of a text with one statement, the text up to the semicolon that ends the statement. */
  readonly sql: SendableSql;
}

/**
 * Parses the text of a caller and cuts off what follows its only statement, by the length that the parser gives. If something is cut
 * off, the rest is parsed again: the tree is always that of exactly the text that is sent.
 *
 * @param before words of this program that are sent before the text
 * @throws those of `parseSql`
 */
export async function parseStatement(text: string, before = ''): Promise<ParsedStatement> {
  const statements = await parseSql(before + text);
  const [statement, ...others] = statements;
  if (statement?.bytes === undefined || others.length > 0) return { statements, sql: SendableSql.judged(text) };
  // The parser counts bytes, a JavaScript string UTF-16 code units.
  const whole = Buffer.from(before + text).subarray(0, statement.start + statement.bytes);
  const cut = whole.toString();
  return { statements: await parseSql(cut), sql: SendableSql.judged(cut.slice(before.length)) };
}
