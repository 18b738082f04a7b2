import { ToolError } from '@org/mcp-decorators';

import { SshFailure, type SshReason } from '../ssh/ssh-failure.ts';

/** Reason why a connection cannot be made, or was lost. */
type ConnectionReason = 'dns' | 'refused' | 'tls' | 'auth' | 'too_many' | 'no_database' | 'starting' | 'timeout' | 'lost';

interface Remedy {
  readonly hint: string;
  /** Whether the same call may succeed later without a change of the configuration. */
  readonly retryable: boolean;
}

const REMEDIES: Readonly<Record<ConnectionReason, Remedy>> = {
  dns: { hint: 'check the host of the connection URL, and the network', retryable: true },
  refused: { hint: 'check host and port, and that the database server is running', retryable: true },
  tls: { hint: 'check sslmode and sslrootcert, and whether the database server supports TLS', retryable: false },
  auth: { hint: 'check role and password in the connection URL, and pg_hba.conf', retryable: false },
  too_many: { hint: 'the database server accepts no more connections at the moment; try again later', retryable: true },
  no_database: { hint: 'check the name of the database in the connection URL', retryable: false },
  starting: { hint: 'the database server is starting up or shutting down; try again later', retryable: true },
  timeout: { hint: 'check host, port and firewalls, or raise --connect-timeout', retryable: true },
  lost: { hint: 'the next call reconnects; nothing was changed', retryable: true },
};

/** Remedies for failures of the ssh tunnel. */
const SSH_REMEDIES: Readonly<Record<SshReason, Remedy>> = {
  missing: { hint: 'install the OpenSSH client, so that the program ssh is on the PATH of this server', retryable: false },
  dns: { hint: 'check the host of --ssh, and the network', retryable: true },
  host_key: {
    hint: 'run ssh to this host once in a terminal and compare the fingerprint; the server never accepts an unknown or changed key',
    retryable: false,
  },
  auth: { hint: 'add the key to the agent, or name it in ~/.ssh/config; ssh cannot ask for a passphrase here', retryable: false },
  refused: { hint: 'check host and port of --ssh, and that the machine can be reached', retryable: true },
  forward: { hint: 'check host and port of the connection URL, as the machine behind ssh resolves them', retryable: true },
  lost: REMEDIES.lost,
};

const BY_SQLSTATE: Readonly<Record<string, ConnectionReason>> = {
  '28': 'auth',
  '3D000': 'no_database',
  '53300': 'too_many',
  '57P03': 'starting',
};

const BY_CODE: Readonly<Record<string, ConnectionReason>> = {
  EACCES: 'refused',
  EAI_AGAIN: 'dns',
  EAI_FAIL: 'dns',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  ENOENT: 'refused',
  ENOTFOUND: 'dns',
  EPROTO: 'tls',
  ETIMEDOUT: 'timeout',
};

const BY_WORDS: readonly (readonly [RegExp, ConnectionReason])[] = [
  [/SASL|SCRAM|password/i, 'auth'],
  [/SSL|TLS|certificate|altnames/i, 'tls'],
  [/timeout/i, 'timeout'],
];

/** Creates the error for a connection failure that PostgreSQL reported with an SQLSTATE. */
export function connectionErrorFromSqlstate(error: Error, sqlstate: string): ToolError {
  const reason = BY_SQLSTATE[sqlstate] ?? BY_SQLSTATE[sqlstate.slice(0, 2)] ?? 'lost';
  return connectionError(error.message, { error, reason, sqlstate });
}

/** Creates the error for a connection failure without an SQLSTATE. Returns `undefined` if the error is not a connection failure. */
export function connectionErrorFromNetwork(error: Error): ToolError | undefined {
  if (error instanceof SshFailure) return sshError(error);
  if (!isConnectionError(error)) return undefined;
  const reason = classifyReason(error);
  // An AggregateError, which Node.js throws if every address of a host fails, has an empty message, so its code is shown.
  const message = error.message === '' ? String('code' in error ? error.code : error.name) : error.message;
  return connectionError(`the database cannot be reached: ${message}`, { error, reason });
}

function sshError(error: SshFailure): ToolError {
  const { hint, retryable } = SSH_REMEDIES[error.reason];
  const reason = error.reason === 'lost' ? 'lost' : `ssh_${error.reason}`;
  return new ToolError('CONNECTION', error.message, { cause: error, hint, data: { reason, retryable } });
}

function connectionError(
  message: string,
  { error, reason, sqlstate }: { readonly error: Error; readonly reason: ConnectionReason; readonly sqlstate?: string },
): ToolError {
  const { hint, retryable } = REMEDIES[reason];
  return new ToolError('CONNECTION', message, {
    cause: error,
    hint,
    data: { reason, ...(sqlstate !== undefined && { sqlstate }), retryable },
  });
}

function classifyReason(error: Error): ConnectionReason {
  const code = 'code' in error ? String(error.code) : '';
  if (Object.hasOwn(BY_CODE, code)) return BY_CODE[code] ?? 'lost';
  if (TLS_CODE.test(code)) return 'tls';
  return BY_WORDS.find(([words]) => words.test(error.message))?.[1] ?? 'lost';
}

const TLS_CODE = /^(?:ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH)/;

// Errors of the operating system and of OpenSSL have a code. pg's own connection errors have only a message.
function isConnectionError(error: Error): boolean {
  if ('code' in error && ('syscall' in error || TLS_CODE.test(String(error.code)))) return true;
  return /connect|terminated|timeout|SASL|SCRAM|SSL|TLS|certificate/i.test(error.message);
}
