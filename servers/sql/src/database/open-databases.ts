import { stateDirectoryOf, UsageError } from '@org/mcp-host';

import { Database, type DatabaseOptions } from './database.ts';
import { Databases } from './databases.ts';
import { embeddedSource, urlSource, type Source } from './source.ts';

/** Which databases there are. */
export interface DatabasesOptions extends DatabaseOptions {
  /** Of the database that is meant where none is named. */
  readonly url?: string | undefined;
  /** Further ones, as `ID=URL`. */
  readonly database?: readonly string[] | undefined;
  readonly passwordFile?: string | undefined;
  readonly sample: boolean;
  readonly dataDir?: string | undefined;
  /** For what outlives the process; default: the user's. */
  readonly stateDir?: string;
  readonly writable?: boolean;
}

/**
 * The databases of the options, or the embedded one, which begins to start.
 *
 * Throws a `UsageError` for options that do not go together, or a URL that is none.
 */
export function openDatabases(options: DatabasesOptions): Databases {
  const { url, database: named = [], passwordFile, sample, dataDir, writable = false } = options;
  if (url === undefined && named.length === 0) {
    const source = embeddedSource({ sample, dataDir, writable, stateDirectory: stateDirectoryOf('mcp-sql', options) });
    return new Databases([new Database(source.database, source, options)]);
  }
  if (sample || dataDir !== undefined)
    throw new UsageError('--sample and --data-dir are for the embedded server; they do not go with a connection URL');
  const sources = [
    ...(url === undefined ? [] : [unnamed(urlSource({ url, passwordFile }))]),
    ...named.map((text) => split(text)).map(({ id, url: its }) => ({ id, source: urlSource({ url: its, passwordFile }) })),
  ];
  const [first, ...rest] = sources.map(({ id, source }) => new Database(id, source, options));
  if (first === undefined) throw new TypeError('there is a URL, but no database');
  refuseTwins([first, ...rest]);
  return new Databases([first, ...rest]);
}

function unnamed(source: Source): { readonly id: string; readonly source: Source } {
  return { id: source.database, source };
}

function split(text: string): { readonly id: string; readonly url: string } {
  const [, id, url] = /^([\w.-]+)=(.*)$/s.exec(text) ?? [];
  // What it is instead may be a URL with its password.
  if (id === undefined || url === undefined)
    throw new UsageError('--database takes ID=URL, the id of letters, digits, dots, underscores and hyphens');
  return { id, url };
}

function refuseTwins(databases: readonly Database[]): void {
  const ids = databases.map(({ id }) => id);
  const twin = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twin !== undefined) throw new UsageError(`two databases have the id "${twin}": name one of them by --database ID=URL`);
}
