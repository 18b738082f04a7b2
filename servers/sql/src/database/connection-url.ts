import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';

import { UsageError } from '@org/mcp-host';

import type { Variables } from './variables.ts';

/** What a connection URL and the variables of libpq say, the URL first; nothing is read from files yet. */
export interface ConnectionTarget {
  /** A name, an address, or the directory of a socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  /** Of the URL itself. */
  readonly password: string | undefined;
  /** Parameters by their names in libpq's URLs. */
  readonly parameters: Readonly<Partial<Record<Parameter, string>>>;
}

/** A parameter of libpq that is understood. */
type Parameter =
  | 'application_name'
  | 'channel_binding'
  | 'dbname'
  | 'host'
  | 'options'
  | 'passfile'
  | 'password'
  | 'port'
  | 'sslcert'
  | 'sslcrl'
  | 'sslkey'
  | 'sslmode'
  | 'sslpassword'
  | 'sslrootcert'
  | 'user';

/** The variables that give parameters where the URL does not; the password's is read when it is needed. */
const VARIABLES: Readonly<Record<Parameter, string | undefined>> = {
  application_name: 'PGAPPNAME',
  channel_binding: 'PGCHANNELBINDING',
  dbname: 'PGDATABASE',
  host: 'PGHOST',
  options: 'PGOPTIONS',
  passfile: 'PGPASSFILE',
  password: undefined,
  port: 'PGPORT',
  sslcert: 'PGSSLCERT',
  sslcrl: 'PGSSLCRL',
  sslkey: 'PGSSLKEY',
  sslmode: 'PGSSLMODE',
  sslpassword: undefined,
  sslrootcert: 'PGSSLROOTCERT',
  user: 'PGUSER',
};

/**
 * Reads a URL as libpq does: what it leaves out is taken from the variables `PG…`, and then from libpq's defaults.
 *
 * Throws a `UsageError` for what is not a connection URL; its password is never repeated.
 */
export function readConnectionUrl(text: string, variables: Variables): ConnectionTarget {
  const url = parse(text);
  const parameters = { ...fromVariables(variables), ...fromUrl(url), ...fromQuery(url) };
  const port = portOf(parameters.port);
  const user = parameters.user ?? userInfo().username;
  return {
    host: parameters.host ?? defaultHost(port),
    port,
    user,
    database: parameters.dbname ?? user,
    password: parameters.password,
    parameters,
  };
}

function parse(text: string): URL {
  if (!/^postgres(?:ql)?:\/\//.test(text)) throw unusable('postgres://user:password@host:port/database is expected');
  // A user without a host is for sockets; no other URL has that.
  const usable = text.replace(/^([^/]*\/\/[^/?#]*@)(?=[/?#]|$)/, `$1${NO_HOST}`);
  if (!URL.canParse(usable)) throw unusable('postgres://user:password@host:port/database is expected');
  return new URL(usable);
}

const NO_HOST = 'no-host.invalid';

function fromUrl({ username, password, hostname, port, pathname }: URL): Partial<Record<Parameter, string>> {
  return given({
    user: decoded(username),
    password: decoded(password),
    host: hostname === NO_HOST ? '' : decoded(hostname).replace(/^\[(.*)\]$/, '$1'),
    port,
    dbname: decoded(pathname.slice(1)),
  });
}

function fromQuery({ searchParams }: URL): Partial<Record<Parameter, string>> {
  const pairs = [...searchParams].map(([name, value]) => {
    if (Object.hasOwn(VARIABLES, name)) return [name, value] as const;
    throw unusable(`its parameter "${name}" is not understood; these are: ${Object.keys(VARIABLES).join(', ')}`);
  });
  return given(Object.fromEntries(pairs));
}

function fromVariables(variables: Variables): Partial<Record<Parameter, string>> {
  return given(Object.fromEntries(Object.entries(VARIABLES).map(([name, variable]) => [name, variables[variable ?? ''] ?? ''])));
}

/** Without what is empty, which is as good as left out. */
function given(pairs: Readonly<Partial<Record<Parameter, string>>>): Partial<Record<Parameter, string>> {
  return Object.fromEntries(Object.entries(pairs).filter(([, value]) => value !== ''));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw unusable('a percent sign stands for itself only as %25');
  }
}

function portOf(text = '5432'): number {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw unusable('its port is none');
}

/** A socket where there is one, as libpq has it. */
function defaultHost(port: number): string {
  return SOCKET_DIRECTORIES.find((directory) => existsSync(`${directory}/.s.PGSQL.${port}`)) ?? 'localhost';
}

const SOCKET_DIRECTORIES = ['/var/run/postgresql', '/tmp'];

function unusable(reason: string): UsageError {
  return new UsageError(`the connection URL cannot be used: ${reason}`);
}
