import { HIDDEN_SESSIONS, OTHER_SESSIONS, type HealthCheck } from './health-check.ts';

/** Checks of connections, and of sessions that stay too long in a transaction. */
export const SESSION_CHECKS: readonly HealthCheck[] = [
  {
    id: 'connections',
    unit: '%',
    warn: 80,
    critical: 95,
    sql: () => `
      select round(100.0 * sum(numbackends) / current_setting('max_connections')::int, 1),
        sum(numbackends) || ' of ' || current_setting('max_connections') || ' connections', null
      from pg_stat_database`,
  },
  {
    id: 'long_transactions',
    unit: 's',
    warn: 300,
    critical: 3600,
    sql: () => `
      (select ${secondsSince('xact_start')}, ${described('transaction')}, 'select pg_terminate_backend(' || pid || ')'
      from pg_stat_activity where xact_start is not null and ${OTHER_SESSIONS}
      order by xact_start)
      union all ${HIDDEN_SESSIONS}`,
  },
  {
    id: 'idle_in_transaction',
    unit: 's',
    warn: 60,
    critical: 600,
    sql: () => `
      (select ${secondsSince('state_change')}, ${described('state')}, 'select pg_terminate_backend(' || pid || ')'
      from pg_stat_activity where state like 'idle in transaction%' and ${OTHER_SESSIONS}
      order by state_change)
      union all ${HIDDEN_SESSIONS}`,
  },
];

function described(what: 'transaction' | 'state'): string {
  const said = what === 'state' ? 'state' : `'in a transaction, ' || state`;
  return `'session ' || pid || coalesce(' of ' || usename, '') || coalesce(' (' || nullif(application_name, '') || ')', '') || ', ' || ${said}`;
}

function secondsSince(time: string): string {
  return `round(extract(epoch from clock_timestamp() - ${time})::numeric)`;
}
