import type { Capabilities } from '../database/capabilities.ts';

/** Whose state it is. */
interface MeasuredServer extends Capabilities {
  /** It is ours: its data is temporary wherever it is not protected from a crash. */
  readonly embedded: boolean;
}

/** A question about the state of a database server, asked by one query. */
export interface HealthCheck {
  readonly id: string;
  /** Of its value: `%`, `s`, `MB`; for `problems` the value is their number. */
  readonly unit: '%' | 's' | 'MB' | 'problems';
  /** From where on it is a warning, and critical; of problems the first is 1 and the second what a serious one is rated. */
  readonly warn: number;
  readonly critical: number;
  /** It is bad to have less, not more. */
  readonly isFloor?: boolean;
  /**
   * Rows of a measure, what is measured, and the statement that mends it, if there is one; the worst first. A row without a measure
   * says why there is none.
   */
  readonly sql: (server: MeasuredServer) => string;
}

/** Fewer than these are shown of what a check found. */
export const MOST_FINDINGS = 10;

/** Who is not the session that asks, and does something for a client. */
export const OTHER_SESSIONS = `datid is not null and pid <> pg_backend_pid() and backend_type is distinct from 'autovacuum worker'`;

/** A row that says that sessions are hidden from the role, if any are. */
export const HIDDEN_SESSIONS = `
  select null::numeric, count(*) || ' sessions of other roles are hidden; members of pg_read_all_stats see them', null
  from pg_stat_activity where query = '<insufficient privilege>' and datid is not null having count(*) > 0`;
