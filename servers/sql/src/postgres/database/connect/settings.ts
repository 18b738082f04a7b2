/** Maximum time that a statement waits for a lock. */
export const LOCK_TIMEOUT_MS = 3000;
/** Maximum idle time within a transaction. While a transaction is open, VACUUM cannot remove rows that the transaction may still see. */
const IDLE_TIMEOUT_MS = 60_000;
/** Time that a transaction may take beyond the timeout of one statement. */
const GRACE_MS = 5000;
/** Unit of PostgreSQL for `work_mem`, in bytes. */
const KILOBYTE = 1024;

/** Limits of every session. */
export interface SessionLimits {
  /** Default timeout of a statement, in ms. */
  readonly statementTimeout: number;
  /** Bytes of memory for a sort or hash before it spills to disk. Default: the server's setting. */
  readonly workMem?: number | undefined;
  /** Maximum number of parallel workers per plan node. Default: the server's setting. */
  readonly parallelWorkers?: number | undefined;
}

/** Returns the settings that sessions start with. `DISCARD ALL` resets sessions to these settings. */
export function sessionSettings({ statementTimeout, workMem, parallelWorkers }: SessionLimits): Readonly<Record<string, string>> {
  return {
    default_transaction_read_only: 'on',
    // If this setting is off, the server ends some strings at a different place than the policy's parser.
    standard_conforming_strings: 'on',
    statement_timeout: String(statementTimeout),
    lock_timeout: String(LOCK_TIMEOUT_MS),
    idle_in_transaction_session_timeout: String(IDLE_TIMEOUT_MS),
    ...(workMem !== undefined && { work_mem: String(Math.floor(workMem / KILOBYTE)) }),
    ...(parallelWorkers !== undefined && { max_parallel_workers_per_gather: String(parallelWorkers) }),
  };
}

/**
 * Settings that make a backend stop its statement when this process was killed or its machine is unreachable. Without these
 * settings, the statement would run to its end. `client_connection_check_interval` is in milliseconds. It works from PostgreSQL
 * 14, but not on Windows. `tcp_keepalives_count` is a number of lost keepalives. The other settings are in seconds.
 */
export const CLIENT_CHECKS: Readonly<Record<string, string>> = {
  client_connection_check_interval: '2000',
  // An unreachable machine sends no reset; the default keepalive detects that after two hours.
  tcp_keepalives_idle: '30',
  tcp_keepalives_interval: '10',
  tcp_keepalives_count: '3',
};

/** Setting that makes a backend check its client's connection. Behind a pooler, each transaction sets the interval again. */
const CLIENT_CHECK = 'client_connection_check_interval';

/** Statement that fails if the server cannot check the connections of clients. */
export const TRY_CLIENT_CHECK: string = `select set_config('${CLIENT_CHECK}', '${CLIENT_CHECKS[CLIENT_CHECK]}', true)`;

/** Formats the settings as the startup parameter `options`. */
export function startupOptions(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}

/** Options for a new transaction. */
export interface TransactionLimits extends SessionLimits {
  /** Timeout of each statement of the transaction, in ms. */
  readonly statementMs: number;
  /** Whether the session started without the settings of this package, because a pooler does not pass them on. */
  readonly bare: boolean;
  /** Whether the setting `transaction_timeout` exists. */
  readonly transactionTimeout: boolean;
  /** Whether a backend behind a pooler can check that its client is still connected. */
  readonly clientCheck: boolean;
  /** Whether the transaction may write. Default: false. */
  readonly writes?: boolean;
}

/** Returns the statements that begin a transaction. The transaction is read-only unless `writes` is true. */
export function buildOpening(limits: TransactionLimits): readonly string[] {
  const { statementMs, bare, transactionTimeout, clientCheck, statementTimeout, writes = false } = limits;
  const settings = {
    ...(bare && sessionSettings(limits)),
    ...(bare && clientCheck && { [CLIENT_CHECK]: CLIENT_CHECKS[CLIENT_CHECK] }),
    ...((bare || statementMs !== statementTimeout) && { statement_timeout: String(statementMs) }),
    ...(transactionTimeout && { transaction_timeout: String(statementMs + GRACE_MS) }),
  };
  const begin = writes ? 'BEGIN READ WRITE' : 'BEGIN READ ONLY';
  return [begin, ...Object.entries(settings).map(([name, value]) => `SET LOCAL ${name} = '${value}'`)];
}
