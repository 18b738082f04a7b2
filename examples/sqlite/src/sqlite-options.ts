import { TextList } from '@org/mcp-decorators';
import { SqlOptions } from '@org/mcp-sql/engine';

/** Options for the SQLite server: the files, and the options of every SQL server except the options for writing. */
export class SqliteOptions extends SqlOptions {
  static override readonly positional = 'files';
  // Without `prepareWrite`, the databases are only read.
  static override readonly flags: Readonly<Record<string, string | false>> = { writable: false, writeTimeout: false };

  @TextList('Database files; the name of a file without its extension is the id of the database', {
    format: 'path',
    title: 'FILE',
  })
  files: string[] = [];
}
