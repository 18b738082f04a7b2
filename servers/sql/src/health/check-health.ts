import { ToolError, type RequestContext } from '@org/mcp-decorators';

import type { Database } from '../database/database.ts';
import type { Row } from '../rows/format.ts';
import { MOST_FINDINGS, type HealthCheck } from './health-check.ts';
import { INDEX_CHECKS } from './index-checks.ts';
import { SERVER_CHECKS } from './server-checks.ts';
import { SESSION_CHECKS } from './session-checks.ts';
import { STORAGE_CHECKS } from './storage-checks.ts';

export const STATUSES = ['ok', 'warn', 'critical', 'unknown'] as const;

export type Status = (typeof STATUSES)[number];

/** What a check found. */
export interface Finding {
  readonly status: Status;
  /** The worst measure, or the number of problems. */
  readonly value: number | undefined;
  /** What is over the threshold, the worst first; or why there is no value. */
  readonly findings: readonly string[];
  readonly fixes: readonly string[];
}

export const HEALTH_CHECKS: readonly HealthCheck[] = [...SESSION_CHECKS, ...STORAGE_CHECKS, ...INDEX_CHECKS, ...SERVER_CHECKS];

/** Codes of errors by which a server or a role cannot tell; any other ends all checks. */
const UNTOLD = new Set(['LOCK_TIMEOUT', 'PERMISSION', 'QUERY_FAILED', 'READ_ONLY', 'SYNTAX', 'TIMEOUT', 'UNDEFINED_OBJECT']);

/** Asks one question, in a transaction of its own: a failed one would take the others with it. */
export async function checkHealth(
  check: HealthCheck,
  database: Database,
  { signal, timeoutMs }: Pick<RequestContext, 'signal'> & { readonly timeoutMs: number },
): Promise<Finding> {
  try {
    const server = { ...(await database.capabilities()), embedded: database.source.embedded };
    return await database.readOnly({ signal, timeoutMs }, async ({ connection }) => {
      // Names are then qualified: whoever runs what mends it has another search path.
      await connection.rows(`select set_config('search_path', 'pg_catalog', true)`, []);
      return judged(check, await connection.lastRows(check.sql(server), []));
    });
  } catch (error) {
    if (!ToolError.is(error) || !UNTOLD.has(error.code)) throw error;
    return { status: 'unknown', value: undefined, findings: [error.message], fixes: [] };
  }
}

function judged(check: HealthCheck, rows: readonly Row[]): Finding {
  const measured = rows.filter(([measure]) => typeof measure === 'string');
  const found = measured.filter((row) => isPast(check, row, check.warn));
  const [first] = measured;
  const value = check.unit === 'problems' ? found.length : first === undefined ? undefined : Number(first[0]);
  if (found.length > 0) {
    const status = found.some((row) => isPast(check, row, check.critical)) ? 'critical' : 'warn';
    return { status, value, findings: subjects(found), fixes: found.slice(0, MOST_FINDINGS).flatMap(([, , fix]) => fix ?? []) };
  }
  const untold = rows.filter(([measure]) => measure === null);
  return { status: untold.length > 0 ? 'unknown' : 'ok', value, findings: subjects(untold), fixes: [] };
}

function isPast({ isFloor = false }: HealthCheck, [measure]: Row, threshold: number): boolean {
  return isFloor ? Number(measure) < threshold : Number(measure) >= threshold;
}

function subjects(rows: readonly Row[]): readonly string[] {
  return rows.slice(0, MOST_FINDINGS).map(([, subject]) => subject ?? '');
}
