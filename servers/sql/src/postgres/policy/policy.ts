import { ToolError } from '@org/mcp-decorators';
import { UsageError } from '@org/mcp-host';

import type { ReadOnlyDatabase } from '../database/query/read-only-database.ts';
import { translateError } from '../database/errors/failures.ts';
import { requireParsable, requireSendable, tooDeep } from './parse/bounds.ts';
import {
  listRowKinds,
  collectCalls,
  collectRowSources,
  analyzeRowUse,
  type CalledName,
  type RowUse,
} from './functions/called-names.ts';
import { requireBoundedLiterals, findExpanders } from './sizes/literal-expansion.ts';
import { LiteralSizes, type Params } from './sizes/literal-sizes.ts';
import { parseStatement } from './parse/parse-statement.ts';
import { ParserExhausted, SyntaxFailure } from './parse/parser.ts';
import { requireBoundedNumbers, hasProducts } from './numbers/numeric-cost.ts';
import { requireBoundedPlan } from './sizes/planned-size.ts';
import { TextCache } from './parse/text-cache.ts';
import { RiskyFunctions } from './functions/risky-functions.ts';
import { SendableSql } from './parse/sendable-sql.ts';
import { type Statement, type SyntaxNode, collectNodes } from './parse/syntax-tree.ts';
import { requireReadOnly } from './require-read-only.ts';
import { parseMaskRule } from './masks/mask-rule.ts';
import { Masks } from './masks/masks.ts';

/**
 * Options of the policy: how thoroughly statements are checked before they are sent, their maximum length, and the masked
 * columns.
 */
export interface PolicyOptions {
  readonly policy: 'strict' | 'standard' | 'off';
  /** Maximum length of a statement, in bytes. */
  readonly maxStatementBytes: number;
  /** Masked columns: `[DATABASE:]schema.table.column[=null|redact|last4]`. Default: none. */
  readonly mask?: readonly string[] | undefined;
}

/** A statement that a caller requests to run. */
export interface Admission {
  readonly sql: string;
  readonly params?: readonly (string | null)[];
  /** SQL of this package that is sent before the statement in the same text, such as `EXPLAIN`. */
  readonly before?: string | undefined;
  readonly signal: AbortSignal;
}

/** The analysis of a statement, and the exact text that was analysed. */
interface AnalyzedStatement {
  readonly sql: SendableSql;
  /** The statement, parsed together with the SQL before it; `undefined` if the text is empty. */
  readonly statement: Statement | undefined;
  readonly analysis: StatementAnalysis;
}

/** Decides which statements of callers are sent to a database. */
export class Policy {
  readonly #database: ReadOnlyDatabase;
  readonly #options: PolicyOptions;
  readonly #risky: RiskyFunctions;
  /** `undefined` if no column is masked. */
  readonly masks: Masks | undefined;
  readonly #analyses = new TextCache(analyzeText);

  constructor(database: ReadOnlyDatabase, options: PolicyOptions) {
    this.#database = database;
    this.#options = options;
    this.masks = createMasks(database, options);
    this.#risky = new RiskyFunctions(database, { isStrict: options.policy === 'strict', isMasked: this.masks !== undefined });
  }

  /**
   * Admits a statement that only reads and calls no risky function, and returns the exact text that was analysed, with masked columns
   * replaced. Rejects a text that cannot be parsed. With the policy `off`, the text is not analysed.
   *
   * @throws ToolError POLICY_DENIED or READ_ONLY, whose data contain the rule, the offending name, and the option that would
   * allow the statement, if such an option exists; INVALID_ARGUMENTS for a text that would not arrive unchanged; TOO_LARGE for a
   * text that is too long or too deeply nested; SYNTAX for a text that cannot be parsed; errors of `Database.readOnly`
   */
  async admit({ sql, params = [], before = '', signal }: Admission): Promise<SendableSql> {
    requireSendable(sql, this.#options.maxStatementBytes);
    if (this.#options.policy === 'off') return admitUnanalyzed(sql);
    requireParsable(sql);
    const found = await this.#admitText(before, sql, { params, signal });
    if (this.masks === undefined || found.statement === undefined) return found.sql;
    const parsed = { statement: found.statement, text: before + found.sql.text };
    const masked = await this.masks.rewrite(parsed, signal);
    if (masked === undefined) return found.sql;
    const text = masked.text.slice(before.length);
    requireSendable(text, this.#options.maxStatementBytes);
    requireParsable(text);
    // The new text is analysed, too, because it may contain the definitions of views.
    await this.#admitText(before, text, { params, signal });
    return SendableSql.admitted(text, masked.columns);
  }

  /** Rejects a relation that a tool reads or writes by its own SQL, if masks apply to it. @throws errors of `Masks` */
  async requireUnmaskedRelation(name: string, signal: AbortSignal, column?: string): Promise<void> {
    await this.masks?.requireUnmaskedRelation(name, signal, column);
  }

  async #admitText(
    before: string,
    sql: string,
    { params, signal }: { readonly params: readonly (string | null)[]; readonly signal: AbortSignal },
  ): Promise<AnalyzedStatement> {
    const found = this.#analyses.getCached(toCacheKey(before, sql)) ?? (await this.#analyzeNew(before, sql));
    const { expanders, growing, calls, rows, rowUse } = found.analysis;
    if (params.length > 0) for (const statement of growing) requireBounded(statement, expanders, params);
    const converted = listRowKinds(rowUse, params).flatMap((kind) => rows.map((row) => ({ ...row, kind })));
    await this.#risky.requireHarmless([...calls, ...converted], signal);
    return found;
  }

  /**
   * Rejects a statement that writes, if it could reveal values of masked columns.
   *
   * @throws ToolError POLICY_DENIED; errors of `Database.readOnly`
   */
  async requireUnmaskedWrite(statement: Statement, signal: AbortSignal): Promise<void> {
    if (this.masks === undefined) return;
    await this.masks.requireUnmasked(statement, signal);
    await this.#risky.requireNoUserFunctions(collectCalls(collectNodes(statement)), signal);
  }

  async #analyzeNew(before: string, sql: string): Promise<AnalyzedStatement> {
    // The parser loads while the first connection opens.
    const [, reading] = await Promise.all([this.#database.identity(), this.#analyze(before, sql)]);
    return reading;
  }

  async #analyze(before: string, sql: string): Promise<AnalyzedStatement> {
    try {
      return await this.#analyses.getOrCompute(toCacheKey(before, sql));
    } catch (error) {
      if (error instanceof SyntaxFailure) throw translateError(error.after(before), sql);
      throw error instanceof ParserExhausted ? tooDeep(error) : error;
    }
  }
}

/** @throws UsageError for a rule that cannot be parsed, and for masks with the policy `off` */
function createMasks(database: ReadOnlyDatabase, { mask = [], policy }: PolicyOptions): Masks | undefined {
  const rules = mask.map(parseMaskRule).filter(({ database: id }) => id === undefined || id === database.id);
  if (mask.length > 0 && policy === 'off') throw new UsageError('--mask cannot be combined with --policy off');
  return rules.length === 0 ? undefined : new Masks(database, rules);
}

function requireBounded(statement: Statement, expanders: readonly SyntaxNode[], params: Params): void {
  const literals = new LiteralSizes(statement, params);
  requireBoundedLiterals(expanders, literals);
  requireBoundedPlan(statement, literals);
  requireBoundedNumbers(statement, literals, params);
}

// NUL can separate the two parts of the key, because neither part contains NUL.
function toCacheKey(before: string, sql: string): string {
  return `${before}\0${sql}`;
}

async function analyzeText(key: string): Promise<AnalyzedStatement> {
  const [before = '', text = ''] = key.split('\0', 2);
  const { statements, sql } = await parseStatement(text, before);
  return { sql, statement: statements[0], analysis: analyzeStatements(statements) };
}

/** Returns a text without analysis. If the text can be parsed, everything after its only statement is removed, for wrapping. */
async function admitUnanalyzed(sql: string): Promise<SendableSql> {
  if (!sql.includes(';')) return SendableSql.admitted(sql);
  try {
    requireParsable(sql);
    return (await parseStatement(sql)).sql;
  } catch {
    return SendableSql.admitted(sql);
  }
}

/** Analysis of one statement that reads, without information from the database. */
interface StatementAnalysis {
  readonly calls: readonly CalledName[];
  /** Relations and functions whose rows may make PostgreSQL convert values. */
  readonly rows: readonly CalledName[];
  /** Properties of the statement, without its parameters, that decide which conversions of rows are possible. */
  readonly rowUse: RowUse;
  readonly expanders: readonly SyntaxNode[];
  /** The statement, if values of parameters may change its size or the cost of its numbers; empty otherwise. */
  readonly growing: readonly Statement[];
}

/**
 * Analyses the parsed statements of a text. A text without a statement has an empty analysis.
 *
 * @throws ToolError READ_ONLY for a statement that does not only read; POLICY_DENIED for several statements, a relation with
 * secrets, or a statement that could take too much memory or time; TOO_LARGE for a statement that is nested too deeply
 */
export function analyzeStatements(statements: readonly Statement[]): StatementAnalysis {
  // A text without a statement is not rejected here, because it runs nothing.
  if (statements.length > 1)
    throw new ToolError('POLICY_DENIED', `the text contains ${statements.length} statements`, {
      hint: 'each call takes one statement',
      data: { rule: 'one-statement', name: String(statements.length) },
    });
  const [statement] = statements;
  if (statement === undefined) return { calls: [], rows: [], rowUse: analyzeRowUse([]), expanders: [], growing: [] };
  const nodes = collectNodes(statement);
  requireReadOnly(statement, nodes);
  const expanders = findExpanders(nodes);
  const literals = new LiteralSizes(statement, []);
  requireBoundedLiterals(expanders, literals);
  requireBoundedPlan(statement, literals);
  const multiplies = hasProducts(nodes);
  if (multiplies) requireBoundedNumbers(statement, literals, []);
  return {
    calls: collectCalls(nodes),
    rows: collectRowSources(nodes),
    rowUse: analyzeRowUse(nodes),
    expanders,
    growing: expanders.length > 0 || multiplies ? [statement] : [],
  };
}
