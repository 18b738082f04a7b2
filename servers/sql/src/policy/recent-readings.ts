import { ToolError } from '@org/mcp-decorators';

import { calledIn, type CalledName } from './called-names.ts';
import { expandersIn, requireModestLiterals } from './literal-expansion.ts';
import { parseSql } from './parser.ts';
import { requireModestPlan } from './planned-size.ts';
import { requireReading } from './reading.ts';
import type { Statement, SyntaxNode } from './syntax-tree.ts';

/** What there is to know of a text that is one statement that reads, whatever the database. */
export interface Reading {
  readonly calls: readonly CalledName[];
  readonly expanders: readonly SyntaxNode[];
  /** Those whose size depends on the values of parameters. */
  readonly growing: readonly Statement[];
}

/** Characters of the texts of which that is kept. */
const KEPT = 32_768;

/** Finds out whether texts only read; what is known of the latest is kept, for many are sent again. */
export class RecentReadings {
  /** The latest comes last. */
  readonly #readings = new Map<string, Reading>();
  #kept = 0;

  /** @throws SyntaxFailure or ParserExhausted; ToolError POLICY_DENIED or READ_ONLY */
  async of(sql: string): Promise<Reading> {
    const reading = this.#readings.get(sql) ?? readingOf(await parseSql(sql));
    this.#forget(sql);
    if (sql.length <= KEPT / 8) this.#keep(sql, reading);
    return reading;
  }

  #keep(sql: string, reading: Reading): void {
    this.#readings.set(sql, reading);
    this.#kept += sql.length;
    for (const [oldest] of this.#readings) {
      if (this.#kept <= KEPT) return;
      this.#forget(oldest);
    }
  }

  #forget(sql: string): void {
    if (this.#readings.delete(sql)) this.#kept -= sql.length;
  }
}

// None at all is told by the database.
function readingOf(statements: readonly Statement[]): Reading {
  if (statements.length > 1)
    throw new ToolError('POLICY_DENIED', `there are ${statements.length} statements`, {
      hint: 'each call takes one statement',
      data: { rule: 'one-statement', name: String(statements.length) },
    });
  statements.forEach(requireReading);
  const expanders = statements.flatMap(expandersIn);
  requireModestLiterals(expanders, []);
  for (const statement of statements) requireModestPlan(statement, []);
  return { calls: statements.flatMap(calledIn), expanders, growing: expanders.length === 0 ? [] : statements };
}
