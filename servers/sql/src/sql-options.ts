import { Flag, Integer, Text } from '@org/mcp-decorators';
import { Duration, type OptionGroups, ServerOptions, Size } from '@org/mcp-host';

/** Options for a server of any SQL engine: permissions, limits and saved queries. */
export class SqlOptions extends ServerOptions {
  static override readonly groups: OptionGroups = {
    'Statements and results': [
      'statementTimeout',
      'maxRows',
      'maxBytes',
      'resultLifetime',
      'maxStoredBytes',
      'exportDir',
      'queries',
    ],
    Writing: ['writable', 'writeTimeout'],
  };

  @Flag('Offer the tools that write, such as execute; they change databases after a confirmation. --read-only takes precedence')
  writable = false;
  @Integer('Maximum number of rows that a call may request', { min: 1, max: 10_000, title: 'N' }) maxRows = 10_000;

  /**
   * The default is 20,000 bytes, because MCP hosts keep at least 20,000 characters of a result. The limit includes fences, notes,
   * totals and notices. It applies separately to the text, to structured content and to `_meta`.
   */
  @Size('Maximum number of bytes that a call returns; a note says how to read the rest', {
    min: 1024,
    max: 8_388_608,
  })
  maxBytes = 20_000;

  @Size('Maximum disk space of all stored results and exports together', { min: 1_048_576 })
  maxStoredBytes = 1_073_741_824;

  @Duration('How long a stored result or an export remains available after its last use', {
    min: 100,
    max: 86_400_000,
  })
  resultLifetime = 900_000;

  @Duration('Maximum time of a statement that reads, and default time of every statement', { min: 100, max: 3_600_000 })
  statementTimeout = 30_000;

  @Duration('Maximum timeout_ms of tools that write; their default is --statement-timeout', {
    min: 100,
    max: 86_400_000,
  })
  writeTimeout = 3_600_000;

  @Text('Directory in which export also saves its files, under new names; the server never deletes them', {
    optional: true,
    title: 'DIRECTORY',
    format: 'path',
  })
  exportDir?: string;

  @Text('Directory of saved queries: each *.sql file with a description becomes a tool, also while the server runs', {
    optional: true,
    title: 'DIRECTORY',
    format: 'path',
  })
  queries?: string;
}
