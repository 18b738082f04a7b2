import type { CalledName } from './called-names.ts';

/** Volatile functions that change nothing and reveal no secrets. The keys are `pg_catalog` and the names of extensions. */
const HARMLESS: Readonly<Record<string, RegExp>> = {
  pg_catalog: new RegExp(
    `^(${[
      'array_sample|array_shuffle|random|random_normal|gen_random_uuid|uuidv4|uuidv7',
      'clock_timestamp|timeofday|current_query|currval|lastval|pg_sequence_last_value',
      'pg_(relation|table|total_relation|indexes|database|tablespace)_size|pg_partition_(ancestors|tree)',
      'pg_(blocking|safe_snapshot_blocking)_pids|pg_lock_status|pg_prepared_xact|pg_get_wait_events',
      'pg_stat_get_\\w+|pg_stat_have_stats|pg_notification_queue_usage|pg_jit_available',
      'pg_current_wal(_flush|_insert)?_lsn|pg_last_wal_(receive|replay)_lsn|pg_last_xact_replay_timestamp|pg_last_committed_xact',
      'pg_is_in_recovery|pg_is_wal_replay_paused|pg_get_wal_replay_pause_state',
      'pg_(database_)?collation_actual_version|pg_xact_commit_timestamp(_origin)?|pg_xact_status|txid_status',
    ].join('|')})$`,
  ),
  pg_stat_statements: /^pg_stat_statements(_info)?$/,
  pgcrypto: /^(gen_random_(bytes|uuid)|fips_mode)$/,
  tablefunc: /^normal_rand$/,
  'uuid-ossp': /^uuid_generate_v(1|1mc|4)$/,
};

/** Pattern for functions that run a text as SQL, whatever volatility they declare. PostgreSQL accepts the same pattern. */
export const RUNS_SQL_NAMES =
  '(query|table|cursor|schema|database)_to_xml(schema|_and_xmlschema)?|ts_stat|dblink\\w*|crosstab\\w*|connectby\\w*|xpath_table';

const RUNS_SQL = new RegExp(`^(${RUNS_SQL_NAMES})$`);

export function isHarmless({ owner, name }: { readonly owner: string; readonly name: string }): boolean {
  return Object.hasOwn(HARMLESS, owner) && HARMLESS[owner]?.test(name) === true;
}

export function runsSql({ kind, name, arguments: given }: CalledName): boolean {
  if (kind !== 'function') return false;
  // `ts_rewrite` with two arguments runs SQL; with three arguments, it only computes.
  return RUNS_SQL.test(name) || (name === 'ts_rewrite' && given !== 3);
}

/** Pattern for functions that parse a text as a value of a type given by name or OID. PostgreSQL accepts the same pattern. */
export const READS_ANY_TYPE_NAMES = 'pg_input_\\w+|(domain|array|anyarray|record|range|multirange)_in';

const READS_ANY_TYPE = new RegExp(`^(${READS_ANY_TYPE_NAMES})$`);

export function readsAnyType({ kind, name }: CalledName): boolean {
  return kind === 'function' && READS_ANY_TYPE.test(name);
}
