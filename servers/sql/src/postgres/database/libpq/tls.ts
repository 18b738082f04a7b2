import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import type { ConnectionOptions } from 'node:tls';
import { isNativeError } from 'node:util/types';

import { ToolError } from '@org/mcp-decorators';
import { UsageError } from '@org/mcp-host';

import { dialDirectly, requestTls, type Dial } from '../protocol/cancel.ts';
import { connectionErrorFromNetwork } from '../errors/connection-failure.ts';
import type { ConnectionTarget } from './connection-url.ts';
import { getSqlstate } from '../errors/failures.ts';

/** Values of libpq's `sslmode`, from the weakest to the strongest. `allow` is not supported. */
const MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;

type TlsMode = (typeof MODES)[number];

/** Value of `sslrootcert` that selects the root certificates that this machine trusts. */
const SYSTEM = 'system';

/**
 * Returns the TLS mode of a target; `disable` for a Unix socket. Throws a `UsageError` for an unknown mode, or for a mode that is
 * too weak for `sslrootcert=system`.
 */
export function resolveTlsMode({ host, parameters }: ConnectionTarget): TlsMode {
  if (host.startsWith('/')) return 'disable';
  const { sslmode, sslrootcert } = parameters;
  const mode = MODES.find((known) => known === (sslmode ?? (sslrootcert === SYSTEM ? 'verify-full' : 'prefer')));
  if (mode === undefined)
    throw new UsageError(`the connection URL cannot be used: its sslmode is not one of ${MODES.join(', ')}`);
  // Public authorities issue certificates to anyone, so only the host name identifies the server.
  if (sslrootcert === SYSTEM && mode !== 'verify-full')
    throw new UsageError('the connection URL cannot be used: sslrootcert=system requires sslmode=verify-full');
  return mode;
}

/** Returns a warning if connections to a remote target may be unencrypted, otherwise `undefined`. */
export function describeExposure(target: ConnectionTarget): string | undefined {
  const mode = resolveTlsMode(target);
  if (LOCAL.test(target.host)) return undefined;
  if (mode === 'disable') return 'connections are not encrypted (sslmode=disable): use sslmode=verify-full';
  if (mode !== 'prefer') return undefined;
  return 'connections may be unencrypted (sslmode=prefer continues in clear text if encryption fails): use sslmode=verify-full';
}

/** Pattern of the hosts that are Unix sockets, or addresses of the loopback interface. */
const LOCAL = /^(?:\/.*|localhost|127\.[\d.]+|::1)$/;

/**
 * Returns the TLS options for connections to a target, or `false` if the connections are not encrypted.
 *
 * @param dial creates the stream on which the function requests TLS, to find out whether the server supports TLS
 * @throws ToolError CONNECTION if a file that a parameter specifies cannot be read, or if the mode requires a root certificate
 * and none exists
 */
export async function resolveTlsOptions(target: ConnectionTarget, dial: Dial = dialDirectly): Promise<false | ConnectionOptions> {
  const mode = resolveTlsMode(target);
  if (mode === 'disable' || (mode === 'prefer' && !(await speaksTls(target, dial)))) return false;
  const { sslpassword, sslrootcert } = target.parameters;
  const [ca, cert, key, crl] = await Promise.all([
    sslrootcert === SYSTEM ? undefined : readTlsFile(target, 'sslrootcert'),
    readTlsFile(target, 'sslcert'),
    readTlsFile(target, 'sslkey'),
    readTlsFile(target, 'sslcrl'),
  ]);
  if (mode.startsWith('verify') && ca === undefined && sslrootcert !== SYSTEM)
    throw unusable(
      `sslmode=${mode} requires a root certificate: sslrootcert=FILE, or sslrootcert=system for the certificates of this machine`,
    );
  return { ca, cert, key, crl, passphrase: sslpassword, ...verification(mode, ca !== undefined) };
}

/**
 * Returns the options that select what is verified. `require` verifies the certificate chain, but not the host name, if a root
 * certificate exists, and nothing otherwise. libpq does the same for compatibility.
 */
function verification(mode: TlsMode, hasAuthority: boolean): ConnectionOptions {
  if (mode === 'verify-full') return { rejectUnauthorized: true };
  if (mode === 'verify-ca' || (mode === 'require' && hasAuthority))
    return { rejectUnauthorized: true, checkServerIdentity: () => undefined };
  return { rejectUnauthorized: false };
}

type TlsFile = keyof typeof DEFAULT_FILES;

/** Names of files in `~/.postgresql`. Parameters that the URL omits refer to these files, if the files exist. */
const DEFAULT_FILES = {
  sslrootcert: 'root.crt',
  sslcert: 'postgresql.crt',
  sslkey: 'postgresql.key',
  sslcrl: 'root.crl',
} as const;

async function readTlsFile({ parameters }: ConnectionTarget, name: TlsFile): Promise<string | undefined> {
  const file = parameters[name];
  if (file === undefined)
    return readFile(path.join(homedir(), '.postgresql', DEFAULT_FILES[name]), 'utf8').catch(() => undefined);
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw unusable(`the file of ${name} cannot be read: ${error.code ?? 'the path is invalid'}`, error);
  });
}

/** Returns true if a connection without TLS may succeed after this error: TLS failed, or `pg_hba.conf` rejects encrypted connections. */
export function refusesTls(error: unknown): boolean {
  if (!isNativeError(error)) return false;
  return getSqlstate(error) === INVALID_AUTHORIZATION || connectionErrorFromNetwork(error)?.data?.['reason'] === 'tls';
}

/**
 * PostgreSQL reports this SQLSTATE if `pg_hba.conf` rejects a connection, or if a role does not exist and no password is
 * required. A failed password authentication has a different code.
 */
const INVALID_AUTHORIZATION = '28000';

/** Requests TLS, and returns true if the server supports TLS. */
async function speaksTls({ host, port }: ConnectionTarget, dial: Dial): Promise<boolean> {
  const socket = dial();
  const timer = setTimeout(() => socket.destroy(new Error(`connect timeout of ${TIMEOUT_MS} ms exceeded`)), TIMEOUT_MS);
  socket.connect(port, host);
  try {
    await once(socket, 'connect');
    return await requestTls(socket);
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}

const TIMEOUT_MS = 10_000;

function unusable(message: string, cause?: unknown): ToolError {
  return new ToolError('CONNECTION', message, { cause, data: { reason: 'tls', retryable: false } });
}
