import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { homedir } from 'node:os';
import path from 'node:path';
import type { ConnectionOptions } from 'node:tls';

import { ToolError } from '@org/mcp-decorators';
import { UsageError } from '@org/mcp-host';

import { requestTls } from './cancel.ts';
import { brokenConnection } from './connection-failure.ts';
import type { ConnectionTarget } from './connection-url.ts';
import { sqlstateOf } from './failures.ts';

/** What is done about encryption, from no to all: as libpq has it, without `allow`. */
const MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;

type TlsMode = (typeof MODES)[number];

/** `sslrootcert=system`: the authorities that this machine trusts. */
const SYSTEM = 'system';

/** Throws a `UsageError` for a mode that is none, or one that is weaker than its authorities need. */
export function tlsModeOf({ host, parameters }: ConnectionTarget): TlsMode {
  if (host.startsWith('/')) return 'disable';
  const { sslmode, sslrootcert } = parameters;
  const mode = MODES.find((known) => known === (sslmode ?? (sslrootcert === SYSTEM ? 'verify-full' : 'prefer')));
  if (mode === undefined)
    throw new UsageError(`the connection URL cannot be used: its sslmode is not one of ${MODES.join(', ')}`);
  // Anybody can have a certificate of an authority that everybody trusts.
  if (sslrootcert === SYSTEM && mode !== 'verify-full')
    throw new UsageError('the connection URL cannot be used: sslrootcert=system needs sslmode=verify-full');
  return mode;
}

/** Returns a warning if connections to a remote target may be unencrypted, otherwise `undefined`. */
export function exposureOf(target: ConnectionTarget): string | undefined {
  const mode = tlsModeOf(target);
  if (LOCAL.test(target.host)) return undefined;
  if (mode === 'disable') return 'connections are not encrypted (sslmode=disable): use sslmode=verify-full';
  if (mode !== 'prefer') return undefined;
  return 'connections may be unencrypted (sslmode=prefer goes on in clear text if encryption fails): use sslmode=verify-full';
}

/** Unix sockets and the loopback interface. */
const LOCAL = /^(?:\/.*|localhost|127\.[\d.]+|::1)$/;

/**
 * How to encrypt connections to a target; `false`: not at all.
 *
 * @throws ToolError CONNECTION if a file that is needed is not there
 */
export async function tlsOf(target: ConnectionTarget): Promise<false | ConnectionOptions> {
  const mode = tlsModeOf(target);
  if (mode === 'disable' || (mode === 'prefer' && !(await speaksTls(target)))) return false;
  const { sslpassword, sslrootcert } = target.parameters;
  const [ca, cert, key, crl] = await Promise.all([
    sslrootcert === SYSTEM ? undefined : fileOf(target, 'sslrootcert'),
    fileOf(target, 'sslcert'),
    fileOf(target, 'sslkey'),
    fileOf(target, 'sslcrl'),
  ]);
  if (mode.startsWith('verify') && ca === undefined && sslrootcert !== SYSTEM)
    throw unusable(
      `sslmode=${mode} needs the certificate of an authority: sslrootcert=FILE, or sslrootcert=system for those of the machine`,
    );
  return { ca, cert, key, crl, passphrase: sslpassword, ...verification(mode, ca !== undefined) };
}

/** `require` verifies the chain, but not the name, where there is an authority to verify by: libpq keeps that from its first versions. */
function verification(mode: TlsMode, hasAuthority: boolean): ConnectionOptions {
  if (mode === 'verify-full') return { rejectUnauthorized: true };
  if (mode === 'verify-ca' || (mode === 'require' && hasAuthority))
    return { rejectUnauthorized: true, checkServerIdentity: () => undefined };
  return { rejectUnauthorized: false };
}

type TlsFile = keyof typeof DEFAULT_FILES;

/** In `~/.postgresql`, and used if they are there. */
const DEFAULT_FILES = {
  sslrootcert: 'root.crt',
  sslcert: 'postgresql.crt',
  sslkey: 'postgresql.key',
  sslcrl: 'root.crl',
} as const;

async function fileOf({ parameters }: ConnectionTarget, name: TlsFile): Promise<string | undefined> {
  const file = parameters[name];
  if (file === undefined)
    return readFile(path.join(homedir(), '.postgresql', DEFAULT_FILES[name]), 'utf8').catch(() => undefined);
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw unusable(`the file of ${name} cannot be read: ${error.code ?? 'it is none'}`, error);
  });
}

/** Whether a connection may be possible in clear that failed so: TLS came to nothing, or `pg_hba.conf` does not admit it. */
export function refusesTls(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return sqlstateOf(error) === NOT_ADMITTED || brokenConnection(error)?.data?.['reason'] === 'tls';
}

/** Also said of a role that there is not; a wrong password has a code of its own. */
const NOT_ADMITTED = '28000';

/** Asks the server whether it encrypts. */
async function speaksTls({ host, port }: ConnectionTarget): Promise<boolean> {
  const socket = connect(port, host);
  socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error(`connect timeout of ${TIMEOUT_MS} ms exceeded`)));
  try {
    await once(socket, 'connect');
    return await requestTls(socket);
  } finally {
    socket.destroy();
  }
}

const TIMEOUT_MS = 10_000;

function unusable(message: string, cause?: unknown): ToolError {
  return new ToolError('CONNECTION', message, { cause, data: { reason: 'tls', retryable: false } });
}
