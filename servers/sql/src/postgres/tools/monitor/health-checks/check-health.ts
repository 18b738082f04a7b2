import { ToolError, type RequestContext } from '@org/mcp-decorators';

import type { Database } from '../../../database/database.ts';
import type { Row } from '../../../../rows/format.ts';
import { MOST_FINDINGS, type HealthCheck } from './health-check.ts';
import { INDEX_CHECKS } from './index-checks.ts';
import { SERVER_CHECKS } from './server-checks.ts';
import { SESSION_CHECKS } from './session-checks.ts';
import { STORAGE_CHECKS } from './storage-checks.ts';

export const STATUSES = ['ok', 'warn', 'critical', 'unknown'] as const;

export type Status = (typeof STATUSES)[number];

/** Result of a check. */
export interface Finding {
  readonly status: Status;
  /** The worst measured value. For the unit `problems`, the number of problems. `undefined` if no value is known. */
  readonly value: number | undefined;
  /**
   * At most ten findings that reach the threshold of a warning, the worst first. If the status is unknown, at most ten reasons.
   */
  readonly findings: readonly string[];
  readonly fixes: readonly string[];
}

export const HEALTH_CHECKS: readonly HealthCheck[] = [...SESSION_CHECKS, ...STORAGE_CHECKS, ...INDEX_CHECKS, ...SERVER_CHECKS];

/** Codes of errors that make the status of a check unknown; any other error ends all checks. */
const UNKNOWN_CODES = new Set([
  'LOCK_TIMEOUT',
  'PERMISSION',
  'QUERY_FAILED',
  'READ_ONLY',
  'SYNTAX',
  'TIMEOUT',
  'UNDEFINED_OBJECT',
]);

/** Runs one check in its own transaction, because an error would abort the other checks of a shared transaction. */
export async function runHealthCheck(
  check: HealthCheck,
  database: Database,
  { signal, timeoutMs }: Pick<RequestContext, 'signal'> & { readonly timeoutMs: number },
): Promise<Finding> {
  try {
    const server = { ...(await database.capabilities()), embedded: database.source.embedded };
    return await database.readOnly({ signal, timeoutMs }, async ({ connection }) => {
      // With this search path, PostgreSQL qualifies all names in fixes. The user who runs a fix may have another search path.
      await connection.rows(`select set_config('search_path', 'pg_catalog', true)`, []);
      return judgeRows(check, await connection.lastRows(check.sql(server), []));
    });
  } catch (error) {
    if (!ToolError.is(error) || !UNKNOWN_CODES.has(error.code)) throw error;
    return { status: 'unknown', value: undefined, findings: [error.message], fixes: [] };
  }
}

function judgeRows(check: HealthCheck, rows: readonly Row[]): Finding {
  const measured = rows.filter(([measure]) => typeof measure === 'string');
  const found = measured.filter((row) => isPast(check, row, check.warn));
  const [first] = measured;
  const value = check.unit === 'problems' ? found.length : first === undefined ? undefined : Number(first[0]);
  if (found.length > 0) {
    const status = found.some((row) => isPast(check, row, check.critical)) ? 'critical' : 'warn';
    return {
      status,
      value,
      findings: listSubjects(found),
      fixes: found.slice(0, MOST_FINDINGS).flatMap(([, , fix]) => fix ?? []),
    };
  }
  const unknown = rows.filter(([measure]) => measure === null);
  return { status: unknown.length > 0 ? 'unknown' : 'ok', value, findings: listSubjects(unknown), fixes: [] };
}

function isPast({ isFloor = false }: HealthCheck, [measure]: Row, threshold: number): boolean {
  return isFloor ? Number(measure) < threshold : Number(measure) >= threshold;
}

function listSubjects(rows: readonly Row[]): readonly string[] {
  return rows.slice(0, MOST_FINDINGS).map(([, subject]) => subject ?? '');
}
