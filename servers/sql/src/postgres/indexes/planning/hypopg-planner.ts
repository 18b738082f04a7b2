import { formatTarget, type Candidate } from '../candidates/candidate.ts';
import type { Connection } from '../../database/connect/connection.ts';
import type { Database } from '../../database/database.ts';
import { ReadStatement } from '../../database/protocol/read-statement.ts';
import { explainGeneric } from '../../database/query/explain-generic.ts';
import type { AssumedIndex, CandidateIndex, PlannableStatement, Planner } from './planner.ts';

/**
 * Whether hypopg can cost all candidates. The extension must be installed. It supports neither indexes of partitioned tables nor
 * GIN and GiST indexes.
 */
export async function canUseHypopg(
  database: Database,
  schema: string | undefined,
  candidates: readonly Candidate[],
): Promise<boolean> {
  // With masks, the policy needs a second connection, for which this call could wait forever while it occupies its own
  // connection.
  if (database.policy.masks !== undefined) return false;
  if (schema === undefined || candidates.some(({ method, table }) => method !== 'btree' || table.isPartitioned)) return false;
  // Behind a pooler, the hypothetical indexes could remain in a backend that later serves another client.
  const { session } = await database.capabilities();
  return session;
}

/**
 * Runs work with hypothetical indexes of the extension hypopg. These indexes exist only in one session, which is closed
 * afterwards.
 *
 * @param schema the schema of the extension, as SQL
 */
export async function useHypopg<Outcome>(
  database: Database,
  schema: string,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
  work: (planner: Planner) => Promise<Outcome>,
): Promise<Outcome> {
  return database.readOnly({ signal, timeoutMs }, async ({ connection }) => {
    try {
      return await work(new HypopgPlanner(database, connection, schema));
    } finally {
      connection.destroy();
    }
  });
}

class HypopgPlanner implements Planner {
  readonly #database: Database;
  readonly #connection: Connection;
  readonly #schema: string;
  readonly #statements = new Map<AssumedIndex, string>();

  constructor(database: Database, connection: Connection, schema: string) {
    this.#database = database;
    this.#connection = connection;
    this.#schema = schema;
  }

  async addCandidates(candidates: readonly Candidate[]): Promise<readonly CandidateIndex[]> {
    const added = candidates.map((candidate, place) => ({ candidate, names: new Set([`mcp_candidate_${place}`]) }));
    for (const index of added) this.#statements.set(index, `create index on ${formatTarget(index.candidate)}`);
    return added;
  }

  async explain(
    { sql, params, generic }: PlannableStatement,
    visible: readonly AssumedIndex[],
    signal: AbortSignal,
  ): Promise<string> {
    const before = 'EXPLAIN (FORMAT JSON, VERBOSE) ';
    const admitted = await this.#database.policy.admit({ sql, params, before, signal });
    await this.#connection.rows(`select ${this.#schema}.hypopg_reset()`, []);
    const names = await this.#create(visible);
    let json = '';
    const onRow = ([plan]: readonly (string | null)[]): void => void (json = plan ?? '');
    if (generic)
      await explainGeneric(this.#connection, { sql: admitted, before, onRow }, (statement) => this.#connection.read(statement));
    else await this.#connection.read(new ReadStatement({ sql: admitted, before, params, limit: 0, kind: 'direct', onRow }));
    for (const [name, stable] of names) json = json.replaceAll(JSON.stringify(name), JSON.stringify(stable));
    return json;
  }

  /** Creates the indexes. Returns the names of the indexes in `AssumedIndex`, keyed by the names that hypopg has chosen. */
  async #create(visible: readonly AssumedIndex[]): Promise<ReadonlyMap<string, string>> {
    const names = new Map<string, string>();
    for (const index of visible) {
      const statement = this.#statements.get(index) ?? '';
      const [[name] = []] = await this.#connection.rows(
        `select indexname from ${this.#schema}.hypopg_create_index($1::pg_catalog.text)`,
        [statement],
      );
      names.set(name ?? '', [...index.names][0] ?? '');
    }
    return names;
  }
}
