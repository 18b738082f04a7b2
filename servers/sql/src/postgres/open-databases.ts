import { resolveStateDirectory, UsageError } from '@org/mcp-host';

import type { DatabaseOptions } from './database/database.ts';
import { Databases } from '../engine/databases.ts';
import type { Source } from './database/connect/source.ts';
import { urlSource } from './database/connect/url-source.ts';
import { embeddedSource } from './database/embedded/embedded-source.ts';
import { PostgresDatabase } from './postgres-database.ts';

/** Options that select the databases of a server. */
export interface DatabasesOptions extends DatabaseOptions {
  /** Connection URL of the default database. */
  readonly url?: string | undefined;
  /** Further databases, as `ID=URL`. */
  readonly database?: readonly string[] | undefined;
  readonly passwordFile?: string | undefined;
  /** The machine through which ssh reaches the databases: `[user@]host[:port]`. */
  readonly ssh?: string | undefined;
  readonly sample: boolean;
  readonly dataDir?: string | undefined;
  /** Directory for data that outlives the process. Default: the state directory of the user. */
  readonly stateDir?: string;
  readonly writable?: boolean;
}

/**
 * Opens the databases of the options. Without a URL, opens the embedded database, whose server begins to start.
 *
 * Throws a `UsageError` for options that cannot be combined, or for an invalid URL.
 */
export function openDatabases(options: DatabasesOptions): Databases<PostgresDatabase> {
  const { url, database: named = [], passwordFile, ssh, sample, dataDir, writable = false, connectTimeout } = options;
  if (url === undefined && named.length === 0) {
    if (ssh !== undefined) throw new UsageError('--ssh requires a connection URL');
    const source = embeddedSource({ sample, dataDir, writable, stateDirectory: resolveStateDirectory('mcp-sql', options) });
    return new Databases([new PostgresDatabase(source.database, source, options)]);
  }
  if (sample || dataDir !== undefined)
    throw new UsageError('--sample and --data-dir are for the embedded server; they cannot be combined with a connection URL');
  const common = { passwordFile, ssh, connectTimeout };
  const sources = [
    ...(url === undefined ? [] : [withDefaultId(urlSource({ url, ...common }))]),
    ...named
      .map((text) => parseNamedDatabase(text))
      .map(({ id, url: its }) => ({ id, source: urlSource({ url: its, ...common }) })),
  ];
  const [first, ...rest] = sources.map(({ id, source }) => new PostgresDatabase(id, source, options));
  if (first === undefined) throw new TypeError('the options contain no database');
  return new Databases([first, ...rest]);
}

function withDefaultId(source: Source): { readonly id: string; readonly source: Source } {
  return { id: source.database, source };
}

function parseNamedDatabase(text: string): { readonly id: string; readonly url: string } {
  const [, id, url] = /^([\w.-]+)=(.*)$/s.exec(text) ?? [];
  // The error does not repeat the text, which may be a URL with a password.
  if (id === undefined || url === undefined)
    throw new UsageError('--database requires ID=URL; an id consists of letters, digits, dots, underscores and hyphens');
  return { id, url };
}
