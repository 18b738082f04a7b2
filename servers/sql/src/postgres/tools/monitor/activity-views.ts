import type { Capabilities } from '../../database/connect/capabilities.ts';
import { buildProgressQuery } from '../../database/progress/progress-views.ts';

export const ACTIVITY_VIEWS = ['sessions', 'locks', 'blocking_tree', 'progress'] as const;

export type ActivityViewName = (typeof ACTIVITY_VIEWS)[number];

/** The columns of a view of the tool `activity`, and the query that returns their values; `$1` is the maximum number of rows. */
export interface ActivityQuery {
  readonly columns: readonly string[];
  readonly sql: (capabilities: Capabilities) => string;
}

/** Text that PostgreSQL shows instead of a statement that the role may not see. */
export const HIDDEN_QUERY = '<insufficient privilege>';

const QUERY = 'left(a.query, 500)';

/** Condition for idle sessions of this program, whose last statements are of no interest to the caller. */
const OWN_IDLE = `coalesce(a.state = 'idle' and a.usename = current_user
        and a.application_name in ('mcp-sql', 'mcp-sql control', 'mcp-sql listen', 'mcp-sql schema'), false)`;

export const ACTIVITY_QUERIES: Readonly<Record<ActivityViewName, ActivityQuery>> = {
  sessions: {
    columns: [
      'pid',
      'role',
      'database',
      'application',
      'client',
      'state',
      'waits_on',
      'transaction_s',
      'state_s',
      'blocked_by',
      'query',
    ],
    sql: () => `
      select a.pid, a.usename, a.datname, nullif(a.application_name, ''), a.client_addr, a.state, ${waitEvent()},
        ${secondsSince('a.xact_start')}, ${secondsSince(`case when a.state = 'active' then a.query_start else a.state_change end`)},
        case when a.wait_event_type = 'Lock' then array_to_string(pg_blocking_pids(a.pid), ' ') end, ${QUERY}
      from pg_stat_activity a
      where a.datid is not null and a.pid <> pg_backend_pid() and not ${OWN_IDLE}
      order by a.state = 'idle', a.state is null, a.xact_start, a.pid
      limit $1::int`,
  },
  locks: {
    columns: ['pid', 'role', 'kind', 'object', 'mode', 'granted', 'state', 'state_s', 'query'],
    sql: () => `
      select l.pid, a.usename, l.locktype, ${lockedObject()}, l.mode, l.granted, a.state, ${secondsSince('a.state_change')}, ${QUERY}
      from pg_locks l left join pg_stat_activity a on a.pid = l.pid
      where l.pid is distinct from pg_backend_pid() and (not l.granted or l.locktype <> 'virtualxid')
      order by l.granted, l.pid, l.locktype, l.relation, l.mode
      limit $1::int`,
  },
  blocking_tree: {
    columns: ['depth', 'pid', 'blocked_by', 'role', 'application', 'state', 'waits_for', 'transaction_s', 'state_s', 'query'],
    sql: () => `
      with blocked as materialized (
        select w.pid, array(select distinct unnest(pg_blocking_pids(w.pid)) order by 1) as blockers
        from (select distinct pid from pg_locks where not granted and pid is not null) w
      ), members as (
        select pid from blocked where blockers <> '{}' union select unnest(blockers) from blocked
      )
      select null, m.pid, array_to_string(b.blockers, ' '), a.usename, nullif(a.application_name, ''), a.state,
        (select l.mode || coalesce(' on ' || ${lockedObject()}, '') from pg_locks l where l.pid = m.pid and not l.granted limit 1),
        ${secondsSince('a.xact_start')}, ${secondsSince('a.state_change')}, ${QUERY}
      from members m left join blocked b on b.pid = m.pid left join pg_stat_activity a on a.pid = m.pid
      order by a.xact_start, m.pid
      limit $1::int`,
  },
  progress: {
    columns: ['pid', 'database', 'command', 'object', 'phase', 'done', 'total', 'unit', 'percent', 'elapsed_s'],
    sql: ({ progress }) => `
      select p.pid, a.datname, p.command, case when a.datname = current_database() then p.relation end, p.phase, p.done,
        nullif(p.total, 0), p.unit, round(100.0 * p.done / nullif(p.total, 0), 1), ${secondsSince('a.query_start')}
      from (${buildProgressQuery(progress)}) p
      left join pg_stat_activity a on a.pid = p.pid
      order by a.query_start, p.pid
      limit $1::int`,
  },
};

function waitEvent(): string {
  return `nullif(concat_ws(' ', a.wait_event_type, a.wait_event), '')`;
}

function secondsSince(time: string): string {
  return `round(extract(epoch from clock_timestamp() - ${time})::numeric, 1)`;
}

function lockedObject(): string {
  return `coalesce(${relationName('l.relation', 'l.database')}, 'transaction ' || l.transactionid)`;
}

// Names of tables in other databases are not available, so their OIDs are returned. Shared tables have the database 0.
function relationName(relation: string, database: string): string {
  const isHere = `${database} in (0, (select oid from pg_database where datname = current_database()))`;
  return `case when ${isHere} then ${relation}::regclass::text else ${relation}::text end`;
}
