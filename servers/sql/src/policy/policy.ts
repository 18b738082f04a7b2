import { ToolError } from '@org/mcp-decorators';

import type { Database } from '../database/database.ts';
import { failure } from '../database/failures.ts';
import { requireParsable, requireSendable } from './bounds.ts';
import { calledIn, type CalledName } from './called-names.ts';
import { expandersIn, requireModestLiterals } from './literal-expansion.ts';
import { ParserExhausted, parseSql, SyntaxFailure } from './parser.ts';
import { requireReading } from './reading.ts';
import { RecentTexts } from './recent-texts.ts';
import { RiskyFunctions } from './risky-functions.ts';
import type { Statement, SyntaxNode } from './syntax-tree.ts';

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
  readonly #readings = new RecentTexts(async (sql) => readingOf(await parseSql(sql)));

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
    const [{ expanders, calls }] = await Promise.all([this.#read(before, sql), database.identity()]);
    requireModestLiterals(expanders, params);
    await this.#risky.refuse(calls, database, signal);
  }

  async #read(before: string, sql: string): Promise<Reading> {
    try {
      return await this.#readings.of(before + sql);
    } catch (error) {
      if (error instanceof SyntaxFailure) throw failure(error.after(before), sql);
      if (!(error instanceof ParserExhausted)) throw error;
      throw new ToolError('TOO_LARGE', error.message, {
        cause: error,
        hint: 'write it with fewer levels',
        data: { rule: 'statement-size', name: 'nesting', option: '--policy off' },
      });
    }
  }
}

/** What there is to know of a text that is one statement that reads, whatever the database. */
interface Reading {
  readonly calls: readonly CalledName[];
  readonly expanders: readonly SyntaxNode[];
}

// None at all is told by the database.
function readingOf(statements: readonly Statement[]): Reading {
  if (statements.length > 1)
    throw new ToolError('POLICY_DENIED', `there are ${statements.length} statements`, {
      hint: 'each call takes one statement',
      data: { rule: 'one-statement', name: String(statements.length) },
    });
  statements.forEach(requireReading);
  return { calls: statements.flatMap(calledIn), expanders: statements.flatMap(expandersIn) };
}
