import type { Connection } from '../../database/connect/connection.ts';
import { getSqlstate } from '../../database/errors/failures.ts';
import { ReadStatement } from '../../database/protocol/read-statement.ts';
import { trimBlanks } from '../../../rows/blank.ts';
import type { SendableSql } from '../../policy/parse/sendable-sql.ts';
import { parseReached, type Reached } from './effects/reached-effects.ts';
import type { NamedObjects } from './effects/named-objects.ts';
import { COMPUTING_LIBRARIES, INDIRECT_FUNCTIONS, REACHED } from './effects/reached-sql.ts';

/** Maximum number of rounds that lock newly found tables. */
const MAX_ROUNDS = 3;

/**
 * Finds the effects of a statement that a rollback may not undo, in the transaction of its dry run. The result is empty if a
 * rollback undoes everything. The server does not parse the statement before a first search finds no such effects, because parsing
 * runs the checks of domains on constants.
 *
 * Parsing locks the relations that the statement names; other tables that it writes are locked by name. Under these locks the
 * result remains valid until the transaction ends. The only exception is a new function with a name that the statement calls.
 *
 * @throws errors of PostgreSQL, including errors of parsing the statement
 */
export async function findIrreversibleEffects(
  connection: Connection,
  named: NamedObjects,
  sql: SendableSql,
): Promise<readonly string[]> {
  if (named.secrets.length > 0) return named.secrets.map((name) => `reads ${name}, which contains secrets`);
  const [[path] = []] = await connection.rows('SHOW search_path', []);
  if (hidesCatalog(path ?? '')) return ['resolves names with a search_path that lists other schemas before pg_catalog'];
  // The planner overestimates the cost of the search, so PostgreSQL would use JIT compilation, which takes longer than the search
  // itself.
  await connection.rows('SET LOCAL jit = off', []);
  let reached = await readReached(connection, named);
  if (reached.effects.length > 0) return reached.effects;
  await connection.read(new ReadStatement({ sql, params: [], limit: 0, kind: 'parsed', onRow: ignore }));
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { locks } = reached;
    if (locks.length > 0) await connection.rows(`LOCK TABLE ${locks.join(', ')} IN ROW EXCLUSIVE MODE`, []);
    reached = await readReached(connection, named);
    if (reached.effects.length > 0 || isWithin(reached.locks, locks)) return reached.effects;
  }
  return ['reaches tables whose definitions other sessions are changing'];
}

async function readReached(connection: Connection, named: NamedObjects): Promise<Reached> {
  try {
    return parseReached(await connection.rows(REACHED, [JSON.stringify(named), COMPUTING_LIBRARIES, INDIRECT_FUNCTIONS]));
  } catch (error) {
    // Some engines lack some catalogs, and the role may lack rights on a schema. The result is then the effect `blind`.
    if (!/^(?:0A|22|42)/.test(getSqlstate(error) ?? '')) throw error;
    return parseReached([['blind']]);
  }
}

/**
 * Whether user-defined functions could shadow functions of PostgreSQL. PostgreSQL searches `pg_catalog` first, unless the
 * search path lists other schemas before it.
 */
function hidesCatalog(path: string): boolean {
  // SQL folds a name without quotes to lower case, so such a name may contain capital letters.
  const first = trimBlanks(path.split(',', 1)[0] ?? '');
  return /pg_catalog/i.test(path) && first !== '"pg_catalog"' && first.toLowerCase() !== 'pg_catalog';
}

function isWithin(some: readonly string[], others: readonly string[]): boolean {
  return some.every((name) => others.includes(name));
}

function ignore(): void {
  // A statement that is only parsed returns no rows.
}
