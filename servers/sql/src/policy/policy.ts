import type { Database } from '../database/database.ts';
import { failure } from '../database/failures.ts';
import { requireParsable, requireSendable, tooDeep } from './bounds.ts';
import { rowKindsOf } from './called-names.ts';
import { requireModestLiterals } from './literal-expansion.ts';
import { LiteralSizes, type Params } from './literal-sizes.ts';
import { parseStatement } from './parse-statement.ts';
import { ParserExhausted, SyntaxFailure } from './parser.ts';
import { requireModestNumbers } from './numeric-cost.ts';
import { requireModestPlan } from './planned-size.ts';
import { readingOf, type Reading } from './reading-of.ts';
import { RecentTexts } from './recent-texts.ts';
import { RiskyFunctions } from './risky-functions.ts';
import { SendableSql } from './sendable-sql.ts';
import type { Statement, SyntaxNode } from './syntax-tree.ts';

/** How much of a statement is looked at before it is sent. */
export interface PolicyOptions {
  readonly policy: 'strict' | 'standard' | 'off';
  /** Longest statement that is taken, in bytes. */
  readonly maxStatement: number;
}

/** A statement that a caller requests to run. */
export interface Admission {
  readonly sql: string;
  readonly params?: readonly (string | null)[];
  /** SQL of this program that is sent before the statement. */
  readonly before?: string | undefined;
  readonly signal: AbortSignal;
}

/** The analysis of a statement, and the exact text that was analysed. */
interface ReadStatementText {
  readonly sql: SendableSql;
  readonly reading: Reading;
}

/** Decides which statements of callers a database is sent. */
export class Policy {
  readonly #options: PolicyOptions;
  readonly #risky: RiskyFunctions;
  readonly #readings = new RecentTexts(readOf);

  constructor(options: PolicyOptions) {
    this.#options = options;
    this.#risky = new RiskyFunctions(options);
  }

  /**
   * Admits a statement that only reads and calls no risky function, and returns the exact text that was analysed. Rejects a text
   * that cannot be parsed. With the policy `off`, the text is not analysed.
   *
   * @throws ToolError POLICY_DENIED or READ_ONLY, whose data name the rule, what broke it and the option that would allow it;
   * TOO_LARGE, SYNTAX, and those of `Database.readOnly`
   */
  async admit(database: Database, { sql, params = [], before = '', signal }: Admission): Promise<SendableSql> {
    requireSendable(sql, this.#options.maxStatement);
    if (this.#options.policy === 'off') return unread(sql);
    requireParsable(sql);
    const found = this.#readings.known(keyOf(before, sql)) ?? (await this.#newReading(database, before, sql));
    const { expanders, growing, calls, rows, rowUse } = found.reading;
    if (params.length > 0) for (const statement of growing) requireModest(statement, expanders, params);
    const converted = rowKindsOf(rowUse, params).flatMap((kind) => rows.map((row) => ({ ...row, kind })));
    await this.#risky.refuse([...calls, ...converted], database, signal);
    return found.sql;
  }

  async #newReading(database: Database, before: string, sql: string): Promise<ReadStatementText> {
    // The parser is loaded while the first connection is made.
    const [, reading] = await Promise.all([database.identity(), this.#read(before, sql)]);
    return reading;
  }

  async #read(before: string, sql: string): Promise<ReadStatementText> {
    try {
      return await this.#readings.of(keyOf(before, sql));
    } catch (error) {
      if (error instanceof SyntaxFailure) throw failure(error.after(before), sql);
      throw error instanceof ParserExhausted ? tooDeep(error) : error;
    }
  }
}

function requireModest(statement: Statement, expanders: readonly SyntaxNode[], params: Params): void {
  const literals = new LiteralSizes(statement, params);
  requireModestLiterals(expanders, literals);
  requireModestPlan(statement, literals);
  requireModestNumbers(statement, literals, params);
}

// A statement contains no NUL, so NUL separates both parts of the key.
function keyOf(before: string, sql: string): string {
  return `${before}\0${sql}`;
}

async function readOf(key: string): Promise<ReadStatementText> {
  const [before = '', text = ''] = key.split('\0', 2);
  const { statements, sql } = await parseStatement(text, before);
  return { sql, reading: readingOf(statements) };
}

/** Returns a text without analysis. If the text can be parsed, everything after its only statement is removed, for wrapping. */
async function unread(sql: string): Promise<SendableSql> {
  if (!sql.includes(';')) return SendableSql.judged(sql);
  try {
    requireParsable(sql);
    return (await parseStatement(sql)).sql;
  } catch {
    return SendableSql.judged(sql);
  }
}
