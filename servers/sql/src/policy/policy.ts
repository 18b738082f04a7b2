import type { Database } from '../database/database.ts';
import { failure } from '../database/failures.ts';
import { requireParsable, requireSendable, tooDeep } from './bounds.ts';
import { requireModestLiterals } from './literal-expansion.ts';
import { ParserExhausted, parseSql, SyntaxFailure } from './parser.ts';
import { requireModestPlan } from './planned-size.ts';
import { readingOf, type Reading } from './reading-of.ts';
import { RecentTexts } from './recent-texts.ts';
import { RiskyFunctions } from './risky-functions.ts';

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
  readonly before?: string | undefined;
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
    const known = this.#readings.known(before + sql);
    const { expanders, growing, calls } = known ?? (await this.#newReading(database, before, sql));
    requireModestLiterals(expanders, params);
    if (params.length > 0) for (const statement of growing) requireModestPlan(statement, params);
    await this.#risky.refuse(calls, database, signal);
  }

  async #newReading(database: Database, before: string, sql: string): Promise<Reading> {
    // The parser is loaded while the first connection is made.
    const [, reading] = await Promise.all([database.identity(), this.#read(before, sql)]);
    return reading;
  }

  async #read(before: string, sql: string): Promise<Reading> {
    try {
      return await this.#readings.of(before + sql);
    } catch (error) {
      if (error instanceof SyntaxFailure) throw failure(error.after(before), sql);
      throw error instanceof ParserExhausted ? tooDeep(error) : error;
    }
  }
}
