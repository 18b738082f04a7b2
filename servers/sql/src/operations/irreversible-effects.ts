import type { Connection } from '../database/connection.ts';
import { sqlstateOf } from '../database/failures.ts';
import { ReadStatement } from '../database/read-statement.ts';
import type { SendableSql } from '../policy/sendable-sql.ts';
import { reachedIn, type Reached } from '../write/effects.ts';
import type { Named } from '../write/named.ts';
import { COMPUTING_LIBRARIES, INDIRECT_FUNCTIONS, REACHED } from '../write/reached-sql.ts';

/** How often tables that turn up are locked, before it is given up. */
const MAX_ROUNDS = 3;

/**
 * Finds what a statement does that a rollback may not undo, in the transaction in which it would be tried out: empty if nothing.
 * Until that is known, the statement is not even parsed by the server, which runs the checks of domains in constants.
 *
 * Parsing locks what the statement names, and tables that it writes besides are locked by name. What was found under these locks
 * holds until the transaction ends, except for a function that is created, under a name that the statement calls, at that moment.
 *
 * @throws errors of PostgreSQL, those of the statement's parsing among them
 */
export async function irreversibleEffects(connection: Connection, named: Named, sql: SendableSql): Promise<readonly string[]> {
  if (named.secrets.length > 0) return named.secrets.map((name) => `reads ${name}, which holds secrets`);
  const [[path] = []] = await connection.rows('SHOW search_path', []);
  if (hidesCatalog(path ?? '')) return ['finds names by a search_path that lists other schemas before pg_catalog'];
  // The planner expects so much of the search that it would be compiled, which takes longer than the search.
  await connection.rows('SET LOCAL jit = off', []);
  let reached = await look(connection, named);
  if (reached.effects.length > 0) return reached.effects;
  await connection.read(new ReadStatement({ sql, params: [], limit: 0, kind: 'parsed', onRow: ignore }));
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { locks } = reached;
    if (locks.length > 0) await connection.rows(`LOCK TABLE ${locks.join(', ')} IN ROW EXCLUSIVE MODE`, []);
    reached = await look(connection, named);
    if (reached.effects.length > 0 || isWithin(reached.locks, locks)) return reached.effects;
  }
  return ['reaches tables that are being changed'];
}

async function look(connection: Connection, named: Named): Promise<Reached> {
  try {
    return reachedIn(await connection.rows(REACHED, [JSON.stringify(named), COMPUTING_LIBRARIES, INDIRECT_FUNCTIONS]));
  } catch (error) {
    // An engine that only speaks PostgreSQL lacks some catalogs, and a role may lack rights on a schema.
    if (!/^(?:0A|22|42)/.test(sqlstateOf(error) ?? '')) throw error;
    return reachedIn([['blind']]);
  }
}

/** PostgreSQL looks into `pg_catalog` first unless it is listed. Otherwise, functions of users could stand in for ours. */
function hidesCatalog(path: string): boolean {
  return path.includes('pg_catalog') && !/^"?pg_catalog"?(?:,|$)/.test(path);
}

function isWithin(some: readonly string[], others: readonly string[]): boolean {
  return some.every((name) => others.includes(name));
}

function ignore(): void {
  // A statement that is only parsed has no rows.
}
