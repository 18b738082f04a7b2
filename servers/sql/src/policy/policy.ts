import { ToolError } from '@org/mcp-decorators';

import type { Database } from '../database/database.ts';
import { failure } from '../database/failures.ts';
import { requireParsable, requireSendable, tooDeep } from './bounds.ts';
import { requireModestLiterals } from './literal-expansion.ts';
import { calledIn } from './called-names.ts';
import { ParserExhausted, parseSql, SyntaxFailure } from './parser.ts';
import { requireModestPlan } from './planned-size.ts';
import { requireReading } from './reading.ts';
import { RiskyFunctions } from './risky-functions.ts';
import type { Statement } from './syntax-tree.ts';

/** How much of a statement is looked at before it is sent. */
export interface PolicyOptions {
  readonly policy: 'strict' | 'standard' | 'off';
  /** Longest statement that is taken, in bytes. */
  readonly maxStatement: number;
}

/** A statement of a caller, as it will be sent. */
export interface Admission {
  readonly sql: string;
  readonly params?: readonly (string | null)[];
  /** Words of ours before it. */
  readonly before?: string;
  readonly signal: AbortSignal;
}

/** Decides which statements of callers a database is sent. */
export class Policy {
  readonly #options: PolicyOptions;
  readonly #risky: RiskyFunctions;

  constructor(options: PolicyOptions) {
    this.#options = options;
    this.#risky = new RiskyFunctions(options);
  }

  /**
   * Lets a statement pass that only reads, and calls nothing that could do more. What cannot be parsed does not pass.
   *
   * @throws ToolError POLICY_DENIED or READ_ONLY, whose data name the rule, what broke it and the option that would allow it;
   * TOO_LARGE, SYNTAX, and those of `Database.readOnly`
   */
  async admit(database: Database, { sql, params = [], before = '', signal }: Admission): Promise<void> {
    requireSendable(sql, this.#options.maxStatement);
    if (this.#options.policy === 'off') return;
    requireParsable(sql);
    // The parser is loaded while the first connection is made.
    const [statements] = await Promise.all([parse(before, sql), database.identity()]);
    for (const statement of requireOne(statements)) {
      requireReading(statement);
      requireModestLiterals(statement, params);
      requireModestPlan(statement, params);
      await this.#risky.refuse(calledIn(statement), database, signal);
    }
  }
}

async function parse(before: string, sql: string): Promise<readonly Statement[]> {
  try {
    return await parseSql(before + sql);
  } catch (error) {
    if (error instanceof SyntaxFailure) throw failure(error.after(before), sql);
    throw error instanceof ParserExhausted ? tooDeep(error) : error;
  }
}

// None at all is told by the database.
function requireOne(statements: readonly Statement[]): readonly Statement[] {
  if (statements.length <= 1) return statements;
  throw new ToolError('POLICY_DENIED', `there are ${statements.length} statements`, {
    hint: 'each call takes one statement',
    data: { rule: 'one-statement', name: String(statements.length) },
  });
}
