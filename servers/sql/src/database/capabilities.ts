import type { Connection } from './connection.ts';
import { TRY_CLIENT_CHECK } from './settings.ts';

/** What the server and the role can do; a feature asks this, never the product's name. */
export interface Capabilities {
  /** As `server_version_num`: 180004. */
  readonly version: number;
  /** `pg_cancel_backend` and `pg_terminate_backend` are there. */
  readonly signals: boolean;
  /** `pg_stat_activity` tells what backends wait for. */
  readonly activity: boolean;
  /** `pg_stat_activity` tells whose parallel workers there are. */
  readonly workers: boolean;
  /** A connection is to one backend, whose process id it was told; a pooler gives each transaction another. */
  readonly session: boolean;
  /** The views of `pg_stat_progress_*` that are there, by what follows that: `vacuum`, `create_index`. */
  readonly progress: readonly string[];
  /** Counters of the catalogs, by which changes of the schema are noticed. */
  readonly counters: boolean;
  /** The role may list temporary files. */
  readonly temporaryFiles: boolean;
  /** `pg_stat_statements` is installed, in this schema. */
  readonly statements: string | undefined;
  /** `transaction_timeout` is a setting. */
  readonly transactionTimeout: boolean;
  /** A backend behind a pooler can look whether its client is still there; false where there is none. */
  readonly clientCheck: boolean;
  /** `pg_xact_status` tells what came of a transaction. */
  readonly outcomes: boolean;
}

/** To be asked last of a connection. `bare`: sessions do not start with their settings. */
export async function capabilitiesOf(connection: Connection, bare: boolean): Promise<Capabilities> {
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
    // Where it fails, so does its transaction.
    clientCheck: bare && (await succeeds(connection.lastRows(TRY_CLIENT_CHECK, []))),
    outcomes: outcomes === 't',
  };
}

function succeeds(asked: Promise<unknown>): Promise<boolean> {
  return asked.then(
    () => true,
    () => false,
  );
}

// Only what the oldest catalogs and every engine have: names that are missing are no error here.
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
