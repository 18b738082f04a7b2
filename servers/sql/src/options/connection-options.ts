import { Flag, Integer, Text, TextList } from '@org/mcp-decorators';
import { ServerOptions } from '@org/mcp-host';

import { roleSql } from '../database/role-sql.ts';

/** Where the databases are, and how they are connected to. */
export class ConnectionOptions extends ServerOptions {
  static override readonly positional: string | undefined = 'url';
  static override readonly prints: Readonly<Record<string, () => string>> = { printRoleSql: roleSql };

  @Text(
    'Connection URL, postgres://user:password@host/database, or postgres:// for what PGHOST and the like say; without one an embedded PostgreSQL is started',
    { optional: true, title: 'URL', format: 'password' },
  )
  url?: string;

  @TextList('Further databases, each under a name of its own', { optional: true, title: 'ID=URL', format: 'password' })
  database?: string[];

  @Text('File with the password for connection URLs without one; default: PGPASSWORD, then PGPASSFILE or ~/.pgpass', {
    optional: true,
    minLength: 1,
    title: 'FILE',
    format: 'path',
  })
  passwordFile?: string;

  @Flag('Print the SQL that makes a role which can only read, and end') printRoleSql = false;
  @Flag('Fill the embedded database with a small shop to try things on') sample = false;

  @Text('Keep the embedded database in this directory; without it the data is temporary', {
    optional: true,
    title: 'DIRECTORY',
    format: 'path',
  })
  dataDir?: string;

  @Integer('Most connections to each database', { min: 1, max: 100, title: 'N' }) maxConnections = 10;

  @Integer('Longest to wait for a connection, be it made or come free', { min: 100, max: 600_000, title: 'MS' })
  connectTimeoutMs = 10_000;
}
