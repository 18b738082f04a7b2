import { ToolError } from '@org/mcp-decorators';

import { translateError } from '../../database/errors/failures.ts';
import { requireParsable, requireSendable } from '../../policy/parse/bounds.ts';
import { parseSql, SyntaxFailure } from '../../policy/parse/parser.ts';
import type { Statement } from '../../policy/parse/syntax-tree.ts';
import { lintStatement } from '../write/effects/lint.ts';
import { findTargets } from '../write/effects/targets.ts';
import { classifyWrite } from '../write/effects/write-kind.ts';

/** Maximum number of statements of a migration. */
const MAX_STATEMENTS = 100;

/** One statement of a migration. */
export interface ParsedStatement {
  readonly text: string;
  /** Whether PostgreSQL runs the statement inside a transaction. */
  readonly isTransactional: boolean;
  /** Table lock as in `Lint`. It is reported only for a statement outside a transaction, whose locks cannot be observed. */
  readonly lock: string | undefined;
  readonly isTruncate: boolean;
  /**
   * Names of the relations that the statement names, in the syntax of `regclass`. For a kind in `CODE`, the first 1,000 different
   * words of the statement.
   */
  readonly names: readonly string[];
}

/**
 * Splits a migration into its statements. Statements such as BEGIN and COMMIT are omitted, because each statement is rehearsed in
 * its own transaction.
 *
 * @throws ToolError INVALID_ARGUMENTS for no statement, for more than 100 statements, for COPY from or to the client, or for a
 * character that PostgreSQL does not accept; TOO_LARGE for a text that is too long or too complex; SYNTAX
 */
export async function parseMigration(sql: string, maxBytes: number): Promise<readonly ParsedStatement[]> {
  requireSendable(sql, maxBytes);
  requireParsable(sql);
  const statements = await parseSql(sql).catch((error: unknown) => {
    throw error instanceof SyntaxFailure ? translateError(error, sql) : error;
  });
  const bytes = Buffer.from(sql);
  const parsed = statements.filter(({ kind }) => kind !== 'TransactionStmt').map((statement) => describe(statement, bytes));
  if (parsed.length === 0) throw new ToolError('INVALID_ARGUMENTS', 'the migration contains no statement');
  if (parsed.length > MAX_STATEMENTS)
    throw new ToolError('INVALID_ARGUMENTS', `the migration has ${parsed.length} statements; the maximum is ${MAX_STATEMENTS}`, {
      hint: 'rehearse the migration in parts',
    });
  return parsed;
}

/** @throws ToolError INVALID_ARGUMENTS for COPY from or to the client, because the migration contains no rows */
function describe(statement: Statement, bytes: Buffer): ParsedStatement {
  const { start, bytes: length = bytes.length - start, kind, fields } = statement;
  if (kind === 'CopyStmt' && fields['filename'] === undefined)
    throw new ToolError('INVALID_ARGUMENTS', 'COPY from or to the client cannot be rehearsed', {
      hint: 'use INSERT, or omit the statement',
    });
  return {
    text: bytes.toString('utf8', start, start + length).replace(/^[ \t\r\n]+/, ''),
    isTransactional: classifyWrite(statement) !== 'outsideTransaction',
    lock: lintStatement(statement).lock,
    isTruncate: kind === 'TruncateStmt',
    names: CODE.has(kind)
      ? [...new Set(JSON.stringify(statement.fields).match(WORDS))].slice(0, MAX_WORDS)
      : findTargets(statement),
  };
}

/** Kinds of statements whose text contains other statements. Each word of the text may be the name of a relation. */
const CODE: ReadonlySet<string> = new Set(['DoStmt', 'CreateFunctionStmt']);
const WORDS = /[A-Za-z_][\w$]*(?:\.[A-Za-z_][\w$]*)?/g;
const MAX_WORDS = 1000;
