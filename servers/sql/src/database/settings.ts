/** How long a call waits for a lock. */
export const LOCK_TIMEOUT_MS = 3000;
/** A transaction in which nothing happens holds back the clean-up of the whole database. */
const IDLE_TIMEOUT_MS = 60_000;
/** How much longer than one statement its transaction may take. */
const GRACE_MS = 5000;

/** What bounds every session. */
export interface SessionLimits {
  /** Longest that a statement may run by default. */
  readonly timeoutMs: number;
  /** Kilobytes that a sort or hash may take before it goes to disk; default: the server's. */
  readonly workMem?: number | undefined;
  /** Workers of a parallel step; default: the server's. */
  readonly parallelWorkers?: number | undefined;
}

/** Settings that sessions start with, which is what `DISCARD ALL` returns to. */
export function sessionSettings({ timeoutMs, workMem, parallelWorkers }: SessionLimits): Readonly<Record<string, string>> {
  return {
    default_transaction_read_only: 'on',
    // Where it is off a string ends elsewhere than the policy, and everybody else, believes.
    standard_conforming_strings: 'on',
    statement_timeout: String(timeoutMs),
    lock_timeout: String(LOCK_TIMEOUT_MS),
    idle_in_transaction_session_timeout: String(IDLE_TIMEOUT_MS),
    ...(workMem !== undefined && { work_mem: String(workMem) }),
    ...(parallelWorkers !== undefined && { max_parallel_workers_per_gather: String(parallelWorkers) }),
  };
}

/**
 * Settings by which a backend notices that nobody waits for its statement any more, because this process was killed or its machine is
 * gone; else it would run to its end. Seconds but the first. Not every server has the first, from version 14 on and not on Windows.
 */
export const CLIENT_CHECKS: Readonly<Record<string, string>> = {
  client_connection_check_interval: '2000',
  // A machine that is gone answers nothing: by default, that is noticed after two hours.
  tcp_keepalives_idle: '30',
  tcp_keepalives_interval: '10',
  tcp_keepalives_count: '3',
};

/** Between a pooler and the server, in a transaction. */
const CLIENT_CHECK = 'client_connection_check_interval';

/** A statement that fails where a backend cannot look for its client. */
export const TRY_CLIENT_CHECK: string = `select set_config('${CLIENT_CHECK}', '${CLIENT_CHECKS[CLIENT_CHECK]}', true)`;

/** The settings as the startup parameter `options`. */
export function startupOptions(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}

/** How a transaction begins. */
export interface TransactionLimits extends SessionLimits {
  /** Longest that each of its statements may run. */
  readonly statementMs: number;
  /** The session did not start with its settings: a pooler kept them away. */
  readonly bare: boolean;
  /** `transaction_timeout` is a setting. */
  readonly transactionTimeout: boolean;
  /** Behind a pooler, the backend can look for its client. */
  readonly clientCheck: boolean;
  /** It may write. */
  readonly writes?: boolean;
}

/** The statements that begin a transaction, which cannot write unless it is said to. */
export function openingOf(limits: TransactionLimits): readonly string[] {
  const { statementMs, bare, transactionTimeout, clientCheck, timeoutMs, writes = false } = limits;
  const settings = {
    ...(bare && sessionSettings(limits)),
    ...(bare && clientCheck && { [CLIENT_CHECK]: CLIENT_CHECKS[CLIENT_CHECK] }),
    ...((bare || statementMs !== timeoutMs) && { statement_timeout: String(statementMs) }),
    ...(transactionTimeout && { transaction_timeout: String(statementMs + GRACE_MS) }),
  };
  const begin = writes ? 'BEGIN READ WRITE' : 'BEGIN READ ONLY';
  return [begin, ...Object.entries(settings).map(([name, value]) => `SET LOCAL ${name} = '${value}'`)];
}
