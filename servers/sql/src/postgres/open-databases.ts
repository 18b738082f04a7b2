import { resolveStateDirectory, UsageError } from '@org/mcp-host';

import type { DatabaseOptions } from './database/database.ts';
import { Databases } from '../engine/databases.ts';
import type { Source } from './database/connect/source.ts';
import { urlSource } from './database/connect/url-source.ts';
import { EMBEDDED_DATABASE, embeddedSource } from './database/embedded/embedded-source.ts';
import { parseMaskRule } from './policy/masks/mask-rule.ts';
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
 * Throws a `UsageError` for options that cannot be used, such as an invalid URL or options that cannot be combined.
 */
export function openDatabases(options: DatabasesOptions): Databases<PostgresDatabase> {
  const isEmbedded = options.url === undefined && (options.database ?? []).length === 0;
  const sources = isEmbedded ? [embeddedDatabase(options)] : urlDatabases(options);
  const [first, ...rest] = sources.map(({ id, source }) => new PostgresDatabase(id, source, options));
  if (first === undefined) throw new TypeError('the options contain no database');
  return new Databases([first, ...rest]);
}

interface NamedSource {
  readonly id: string;
  readonly source: Source;
}

function embeddedDatabase(options: DatabasesOptions): NamedSource {
  const { sample, dataDir, ssh, writable = false, mask = [] } = options;
  if (ssh !== undefined) throw new UsageError('--ssh requires a connection URL');
  // The masks are checked before the embedded server begins to start, because its process would outlive the error.
  requireKnownDatabases(mask, [EMBEDDED_DATABASE]);
  return withDefaultId(embeddedSource({ sample, dataDir, writable, stateDirectory: resolveStateDirectory('mcp-sql', options) }));
}

function urlDatabases(options: DatabasesOptions): NamedSource[] {
  const { url, database: named = [], sample, dataDir, passwordFile, ssh, connectTimeout, mask = [] } = options;
  if (sample || dataDir !== undefined)
    throw new UsageError('--sample and --data-dir are for the embedded server; they cannot be combined with a connection URL');
  const common = { passwordFile, ssh, connectTimeout };
  const sources = [
    ...(url === undefined ? [] : [withDefaultId(urlSource({ url, ...common }))]),
    ...named
      .map((text) => parseNamedDatabase(text))
      .map(({ id, url: its }) => ({ id, source: urlSource({ url: its, ...common }) })),
  ];
  requireKnownDatabases(
    mask,
    sources.map(({ id }) => id),
  );
  return sources;
}

/** Rejects masks of a database that is not served. With a mistyped id, the intended column would stay unmasked. */
function requireKnownDatabases(masks: readonly string[], ids: readonly string[]): void {
  const unknown = masks.map(parseMaskRule).find(({ database }) => database !== undefined && !ids.includes(database));
  if (unknown !== undefined)
    throw new UsageError(
      `--mask ${unknown.text}: there is no database "${unknown.database ?? ''}"; available: ${ids.join(', ')}`,
    );
}

function withDefaultId(source: Source): NamedSource {
  return { id: source.database, source };
}

function parseNamedDatabase(text: string): { readonly id: string; readonly url: string } {
  const [, id, url] = /^([\w.-]+)=(.*)$/s.exec(text) ?? [];
  // The error does not repeat the text, which may be a URL with a password.
  if (id === undefined || url === undefined)
    throw new UsageError('--database requires ID=URL; an id consists of letters, digits, dots, underscores and hyphens');
  return { id, url };
}
