import type { HealthCheck } from './health-check.ts';

/** Checks of replication, checkpoints and settings. */
export const SERVER_CHECKS: readonly HealthCheck[] = [
  {
    id: 'replication_slots',
    unit: 'MB',
    warn: 1024,
    critical: 10_240,
    sql: () => `
      select round(pg_wal_lsn_diff(${LAST_WAL}, restart_lsn) / 1048576), 'slot ' || slot_name || case when active then '' else ', not in use,' end || ' keeps WAL',
        case when not active then 'select pg_drop_replication_slot(' || quote_literal(slot_name) || ')' end
      from pg_replication_slots where restart_lsn is not null
      order by 1 desc`,
  },
  {
    id: 'replication_lag',
    unit: 's',
    warn: 30,
    critical: 300,
    // The lag of an idle replica is null and counts as 0. If the role may not see the replica, the state is null, too, and the
    // lag is unknown.
    sql: () => `
      select case when state is not null then coalesce(round(extract(epoch from replay_lag)::numeric), 0) end,
        'replica ' || coalesce(nullif(application_name, ''), pid::text) || case when state is null then ' is hidden from this role' else '' end, null
      from pg_stat_replication
      union all
      select round(extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::numeric), 'this replica', null
      where pg_is_in_recovery() and pg_last_wal_receive_lsn() is distinct from pg_last_wal_replay_lsn()
      order by 1 desc nulls last`,
  },
  {
    id: 'checkpoints',
    unit: '%',
    warn: 50,
    critical: 101,
    sql: ({ version }) => `
      select case when requested + timed >= 10 then round(100.0 * requested / (requested + timed), 1) end,
        case when requested + timed >= 10 then requested || ' of ' || requested + timed || ' checkpoints were requested before checkpoint_timeout'
          else 'too few checkpoints for a result' end,
        'alter system set max_wal_size = ''' || 2 * (select setting::int from pg_settings where name = 'max_wal_size') || 'MB'''
      from (${version >= SEPARATE_CHECKPOINTER ? CHECKPOINTER : BACKGROUND_WRITER}) c`,
  },
  {
    id: 'settings',
    unit: 'problems',
    warn: 1,
    critical: 2,
    sql: ({ embedded }) => `
      select k.severity, s.name || ' = ' || s.setting || ': ' || k.why, 'alter system set ' || s.name || ' = ' || quote_literal(k.better)
      from (values ${[...(embedded ? [] : DURABILITY_SETTINGS), ...JUDGED_SETTINGS].join(', ')}) k (name, bad, severity, why, better) join pg_settings s on s.name = k.name and s.setting = k.bad
      union all
      select 1, name || ' was changed; the change takes effect after a restart', null from pg_settings where pending_restart
      order by 1 desc, 2`,
  },
];

/** First version of PostgreSQL with the view `pg_stat_checkpointer`. */
const SEPARATE_CHECKPOINTER = 170_000;
const CHECKPOINTER = 'select num_requested as requested, num_timed as timed from pg_stat_checkpointer';
const BACKGROUND_WRITER = 'select checkpoints_req as requested, checkpoints_timed as timed from pg_stat_bgwriter';

const LAST_WAL = 'case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end';

const DURABILITY_SETTINGS: readonly string[] = [
  `('fsync', 'off', 2, 'a crash can destroy the data', 'on')`,
  `('full_page_writes', 'off', 2, 'a crash can destroy the data', 'on')`,
];
const JUDGED_SETTINGS: readonly string[] = [
  `('zero_damaged_pages', 'on', 2, 'damaged pages are emptied', 'off')`,
  `('ignore_checksum_failure', 'on', 2, 'damage is not detected', 'off')`,
  `('autovacuum', 'off', 2, 'tables grow, and transaction ids are exhausted', 'on')`,
  `('track_counts', 'off', 2, 'autovacuum lacks statistics', 'on')`,
  `('track_activities', 'off', 1, 'activity cannot show what sessions do', 'on')`,
  `('password_encryption', 'md5', 1, 'its hashes are weak', 'scram-sha-256')`,
];
