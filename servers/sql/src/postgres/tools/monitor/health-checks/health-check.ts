import type { Capabilities } from '../../../database/connect/capabilities.ts';

/** The database server that is checked. */
interface MeasuredServer extends Capabilities {
  /** Whether this is the embedded server, whose durability settings are not checked. */
  readonly embedded: boolean;
}

/** A check of a database server, which runs one query. */
export interface HealthCheck {
  readonly id: string;
  /** Unit of the measured values. With `problems`, the value of the check is the number of problems. */
  readonly unit: '%' | 's' | 'MB' | 'problems';
  /**
   * Thresholds of a warning and of a critical status. With `problems`, the value of a row is the severity of a problem. The
   * severity 1 causes a warning, and a severity of at least `critical` causes the status `critical`.
   */
  readonly warn: number;
  readonly critical: number;
  /** Whether lower values are worse. */
  readonly isFloor?: boolean;
  /**
   * Returns a query of rows with a value, its subject and an optional SQL statement that fixes the problem, the worst first. A row
   * without a value has the reason as its subject.
   */
  readonly sql: (server: MeasuredServer) => string;
}

/** Maximum number of findings, reasons or fixes of a check that are shown. */
export const MOST_FINDINGS = 10;

/** Condition for sessions of other clients. */
export const OTHER_SESSIONS = `datid is not null and pid <> pg_backend_pid() and backend_type is distinct from 'autovacuum worker'`;

/** Query of a row that reports hidden sessions; no row if the role sees all sessions. */
export const HIDDEN_SESSIONS = `
  select null::numeric, 'hidden sessions of other roles: ' || count(*) || '; members of pg_read_all_stats see all sessions', null
  from pg_stat_activity where query = '<insufficient privilege>' and datid is not null having count(*) > 0`;
