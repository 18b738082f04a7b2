import type { Connection } from './connection.ts';
import { TRY_CLIENT_CHECK } from './settings.ts';

/** Abilities of the server and the role. Features depend on these abilities, never on the product's name. */
export interface Capabilities {
  /** The value of `server_version_num`, for example 180004. */
  readonly version: number;
  /** Whether `pg_cancel_backend` and `pg_terminate_backend` exist. */
  readonly signals: boolean;
  /** Whether `pg_stat_activity` reports wait events. */
  readonly activity: boolean;
  /** Whether `pg_stat_activity` reports the leader of each parallel worker. */
  readonly workers: boolean;
  /**
   * Whether a connection keeps one backend, and knows the process id of the backend. A pooler may give each transaction a different
   * backend.
   */
  readonly session: boolean;
  /** Suffixes of the `pg_stat_progress_*` views that exist: `vacuum`, `create_index`. */
  readonly progress: readonly string[];
  /** Whether the statistics of the system catalogs are readable. These statistics reveal changes of the schema. */
  readonly counters: boolean;
  /** Whether the role may list temporary files. */
  readonly temporaryFiles: boolean;
  /** The schema of the extension `pg_stat_statements`; `undefined` if the extension is not installed. */
  readonly statements: string | undefined;
  /** Whether the setting `transaction_timeout` exists. */
  readonly transactionTimeout: boolean;
  /** Whether a backend behind a pooler can check that its client is still connected. False without a pooler. */
  readonly clientCheck: boolean;
  /** Whether `pg_xact_status` exists, which reports whether a transaction was committed. */
  readonly outcomes: boolean;
}

/**
 * Reads the capabilities with the last statements of a call.
 *
 * @param bare whether sessions start without the settings of this package, as behind a pooler
 */
export async function readCapabilities(connection: Connection, bare: boolean): Promise<Capabilities> {
  const [row = []] = await (bare ? connection.rows(PROBE, []) : connection.lastRows(PROBE, []));
  const [version, signals, activity, workers, processId, progress, counters, files, statements, timeout, outcomes] = row;
  return {
    version: Number(version),
    signals: signals === 't',
    activity: activity === 't',
    workers: workers === 't',
    session: Number(processId) === connection.processId,
    progress: (progress ?? '').split(',').filter((name) => name !== ''),
    counters: counters === 't',
    temporaryFiles: files === 't',
    statements: statements ?? undefined,
    transactionTimeout: timeout === 't',
    // A failure aborts the transaction, so this probe is a separate statement.
    clientCheck: bare && (await succeeds(connection.lastRows(TRY_CLIENT_CHECK, []))),
    outcomes: outcomes === 't',
  };
}

function succeeds(query: Promise<unknown>): Promise<boolean> {
  return query.then(
    () => true,
    () => false,
  );
}

// This statement uses only names that also exist in old catalogs and in other engines, so that a missing feature is not an error.
const PROBE = `
  select current_setting('server_version_num'),
    exists (select from pg_proc where proname = 'pg_terminate_backend'),
    exists (select from pg_attribute a join pg_class c on c.oid = a.attrelid where c.relname = 'pg_stat_activity' and a.attname = 'wait_event'),
    exists (select from pg_attribute a join pg_class c on c.oid = a.attrelid where c.relname = 'pg_stat_activity' and a.attname = 'leader_pid'),
    pg_backend_pid(),
    (select string_agg(substr(relname, 18), ',' order by relname) from pg_class where relname like 'pg\\_stat\\_progress\\_%' and relkind = 'v'),
    exists (select from pg_class where relname = 'pg_stat_sys_tables' and relkind = 'v'),
    exists (select from pg_proc where proname = 'pg_ls_tmpdir' and pronargs = 0 and has_function_privilege(oid, 'execute')),
    (select n.nspname from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_stat_statements'),
    current_setting('transaction_timeout', true) is not null,
    exists (select from pg_proc where proname = 'pg_xact_status')`;

/** Returns the names of the capabilities that the server has. A capability that is a list counts if the list is not empty. */
export function listCapabilities(capabilities: Capabilities): readonly string[] {
  return Object.entries(capabilities)
    .filter(([name, value]) => name !== 'version' && (Array.isArray(value) ? value.length > 0 : Boolean(value)))
    .map(([name]) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}
