import type { Connection } from '../database/connection.ts';
import { sqlstateOf } from '../database/failures.ts';
import { ReadStatement } from '../database/read-statement.ts';
import { withoutBlanks } from '../policy/blank.ts';
import type { SendableSql } from '../policy/sendable-sql.ts';
import { reachedIn, type Reached } from '../write/effects.ts';
import type { Named } from '../write/named.ts';
import { COMPUTING_LIBRARIES, INDIRECT_FUNCTIONS, REACHED } from '../write/reached-sql.ts';

/** Maximum number of rounds that lock newly found tables. */
const MAX_ROUNDS = 3;

/**
 * Finds the effects of a statement that a rollback may not undo, in the transaction of its rehearsal. The result is empty if a
 * rollback undoes everything. The server does not parse the statement before a first search finds no such effects, because parsing
 * runs the checks of domains on constants.
 *
 * Parsing locks the relations that the statement names; other tables that it writes are locked by name. Under these locks the
 * result remains valid until the transaction ends. The only exception is a new function with a name that the statement calls.
 *
 * @throws errors of PostgreSQL, including those of parsing the statement
 */
export async function irreversibleEffects(connection: Connection, named: Named, sql: SendableSql): Promise<readonly string[]> {
  if (named.secrets.length > 0) return named.secrets.map((name) => `reads ${name}, which holds secrets`);
  const [[path] = []] = await connection.rows('SHOW search_path', []);
  if (hidesCatalog(path ?? '')) return ['finds names by a search_path that lists other schemas before pg_catalog'];
  // The planner overestimates the cost of the search. JIT compilation would take longer than the search itself.
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
    // A compatible engine may lack some catalogs, and a role may lack rights on a schema.
    if (!/^(?:0A|22|42)/.test(sqlstateOf(error) ?? '')) throw error;
    return reachedIn([['blind']]);
  }
}

/**
 * PostgreSQL searches `pg_catalog` first unless the path lists it later. Then functions of users could shadow those of PostgreSQL.
 */
function hidesCatalog(path: string): boolean {
  // A name without quotes may be written in capital letters.
  const first = withoutBlanks(path.split(',', 1)[0] ?? '');
  return /pg_catalog/i.test(path) && first !== '"pg_catalog"' && first.toLowerCase() !== 'pg_catalog';
}

function isWithin(some: readonly string[], others: readonly string[]): boolean {
  return some.every((name) => others.includes(name));
}

function ignore(): void {
  // A statement that is only parsed returns no rows.
}
