import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';

import { UsageError } from '@org/mcp-host';

import { isHostName, parseSshTarget, type SshTarget } from '../ssh/ssh-target.ts';
import type { Variables } from './variables.ts';

/**
 * Connection parameters from a URL. libpq's environment variables supply parameters that the URL omits. No password file or
 * certificate has been read yet.
 */
export interface ConnectionTarget {
  /** A host name, an address, or the directory of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  /** The machine through which the database is reached. `undefined` for a direct connection. */
  readonly ssh: SshTarget | undefined;
  /** The password in the URL; `undefined` if the URL contains no password. */
  readonly password: string | undefined;
  /** Parameters, keyed by their names in libpq's URLs. */
  readonly parameters: Readonly<Partial<Record<Parameter, string>>>;
}

/** A supported parameter of libpq, or `ssh`, which only this package knows. */
type Parameter =
  | 'application_name'
  | 'channel_binding'
  | 'dbname'
  | 'host'
  | 'options'
  | 'passfile'
  | 'password'
  | 'port'
  | 'ssh'
  | 'sslcert'
  | 'sslcrl'
  | 'sslkey'
  | 'sslmode'
  | 'sslpassword'
  | 'sslrootcert'
  | 'user';

/** Environment variables for parameters that the URL omits. PGPASSWORD is read later, when a connection needs a password. */
const VARIABLES: Readonly<Record<Parameter, string | undefined>> = {
  application_name: 'PGAPPNAME',
  channel_binding: 'PGCHANNELBINDING',
  dbname: 'PGDATABASE',
  host: 'PGHOST',
  options: 'PGOPTIONS',
  passfile: 'PGPASSFILE',
  password: undefined,
  port: 'PGPORT',
  ssh: undefined,
  sslcert: 'PGSSLCERT',
  sslcrl: 'PGSSLCRL',
  sslkey: 'PGSSLKEY',
  sslmode: 'PGSSLMODE',
  sslpassword: undefined,
  sslrootcert: 'PGSSLROOTCERT',
  user: 'PGUSER',
};

/**
 * Parses a URL with one host as libpq does. Omitted parameters come from the variables `PG…`, and then from libpq's defaults.
 *
 * Throws a `UsageError` for an invalid connection URL. The error never contains the password.
 *
 * @param ssh the machine through which the database is reached, unless the parameter `ssh` of the URL contains another target or
 * `none`
 */
export function readConnectionUrl(text: string, variables: Variables, ssh?: string): ConnectionTarget {
  const url = parse(text);
  const parameters = { ...readVariables(variables), ...readUrlParts(url), ...readQueryParameters(url) };
  const port = parsePort(parameters.port);
  const user = parameters.user ?? userInfo().username;
  const route = parameters.ssh ?? ssh;
  const target = route === undefined || route === NO_SSH ? undefined : parseSshTarget(route);
  const host = parameters.host ?? (target === undefined ? defaultHost(port) : 'localhost');
  if (target !== undefined && !isHostName(host)) throw unusable('through ssh, its host must be a name or an address');
  return {
    host,
    port,
    user,
    database: parameters.dbname ?? user,
    ssh: target,
    password: parameters.password,
    parameters,
  };
}

function parse(text: string): URL {
  if (!/^postgres(?:ql)?:\/\//.test(text)) throw unusable('postgres://user:password@host:port/database is expected');
  // libpq allows a user without a host, for sockets. `URL` rejects such a URL, so a placeholder becomes the host.
  const usable = text.replace(/^([^/]*\/\/[^/?#]*@)(?=[/?#]|$)/, `$1${NO_HOST}`);
  if (!URL.canParse(usable)) throw unusable('postgres://user:password@host:port/database is expected');
  return new URL(usable);
}

/** Value of the parameter `ssh` for a direct connection. */
const NO_SSH = 'none';

const NO_HOST = 'no-host.invalid';

function readUrlParts({ username, password, hostname, port, pathname }: URL): Partial<Record<Parameter, string>> {
  return omitEmpty({
    user: decode(username),
    password: decode(password),
    host: hostname === NO_HOST ? '' : decode(hostname).replace(/^\[(.*)\]$/, '$1'),
    port,
    dbname: decode(pathname.slice(1)),
  });
}

function readQueryParameters({ searchParams }: URL): Partial<Record<Parameter, string>> {
  const pairs = [...searchParams].map(([name, value]) => {
    if (Object.hasOwn(VARIABLES, name)) return [name, value] as const;
    throw unusable(`its parameter "${name}" is not supported; supported parameters are: ${Object.keys(VARIABLES).join(', ')}`);
  });
  return omitEmpty(Object.fromEntries(pairs));
}

function readVariables(variables: Variables): Partial<Record<Parameter, string>> {
  return omitEmpty(
    Object.fromEntries(Object.entries(VARIABLES).map(([name, variable]) => [name, variables[variable ?? ''] ?? ''])),
  );
}

/** Removes empty parameters, because libpq treats an empty parameter as absent. */
function omitEmpty(pairs: Readonly<Partial<Record<Parameter, string>>>): Partial<Record<Parameter, string>> {
  return Object.fromEntries(Object.entries(pairs).filter(([, value]) => value !== ''));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw unusable('a percent sign must be written as %25');
  }
}

function parsePort(text = '5432'): number {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw unusable('its port is not a number from 1 to 65535');
}

/**
 * Returns the directory that contains the Unix socket of a local server on this port, or `localhost` if no such socket exists.
 */
function defaultHost(port: number): string {
  return SOCKET_DIRECTORIES.find((directory) => existsSync(`${directory}/.s.PGSQL.${port}`)) ?? 'localhost';
}

const SOCKET_DIRECTORIES = ['/var/run/postgresql', '/tmp'];

function unusable(reason: string): UsageError {
  return new UsageError(`the connection URL cannot be used: ${reason}`);
}
