import { Field, Flag, Integer, OneOf, Text, TextList } from '@org/mcp-decorators';
import { Duration, type OptionGroups, Size } from '@org/mcp-host';
import { IsOptional } from 'class-validator/cjs/decorator/common/IsOptional.js';
import { Min } from 'class-validator/cjs/decorator/number/Min.js';
import { IsNumber } from 'class-validator/cjs/decorator/typechecker/IsNumber.js';

import { roleSql } from './postgres/database/embedded/role-sql.ts';
import type { PolicyOptions } from './postgres/policy/policy.ts';
import { SqlOptions } from './sql-options.ts';

const POLICIES = ['strict', 'standard', 'off'] as const;

/** Options for the PostgreSQL server: connections, permissions and limits. */
export class PostgresOptions extends SqlOptions implements PolicyOptions {
  static override readonly positional: string | undefined = 'url';
  static override readonly groups: OptionGroups = {
    Connections: ['database', 'passwordFile', 'ssh', 'maxConnections', 'connectTimeout'],
    'Embedded database': ['sample', 'dataDir'],
    Policy: ['policy', 'mask', 'allowPrivilegedRole', 'cancelOthers', 'printRoleSql', 'maxStatementBytes', 'maxCost'],
    'Copies for index advice and rehearsals': ['maxCopiedTables', 'maxSampleBytes'],
    'Database server': ['workMem', 'parallelWorkers'],
  };
  static override readonly prints: Readonly<Record<string, () => string>> = { printRoleSql: roleSql };

  @Text(
    'Connection URL: postgres://user:password@host/database, or postgres:// to use PGHOST and the other variables of libpq; without a URL, an embedded PostgreSQL is started',
    { optional: true, title: 'URL', format: 'password' },
  )
  url?: string;

  @TextList('Additional databases, each with its own id', { optional: true, title: 'ID=URL', format: 'password' })
  database?: string[];

  @Text('File with the password for connection URLs without a password; default: PGPASSWORD, then PGPASSFILE or ~/.pgpass', {
    optional: true,
    minLength: 1,
    title: 'FILE',
    format: 'path',
  })
  passwordFile?: string;

  @Text(
    'Machine through which the program ssh reaches the databases; the parameter ssh of a connection URL replaces it, ssh=none connects directly',
    { optional: true, minLength: 1, title: '[USER@]HOST[:PORT]' },
  )
  ssh?: string;

  @Flag('Print the SQL that creates a read-only role, and exit') printRoleSql = false;
  @Flag('Fill the embedded database with sample data: a small shop') sample = false;

  @Text('Directory that stores the embedded database; without it, the data is temporary', {
    optional: true,
    title: 'DIRECTORY',
    format: 'path',
  })
  dataDir?: string;

  @Integer('Maximum number of connections to each database', { min: 1, max: 100, title: 'N' }) maxConnections = 10;
  @Duration('Maximum wait for a new or a free connection', { min: 100, max: 600_000 }) connectTimeout = 10_000;

  @OneOf(
    POLICIES,
    'Checks of SQL before it is sent. strict: volatile functions only if they are known to be safe; standard: volatile user-defined functions too; off: no checks',
    { title: 'WHICH' },
  )
  policy: PolicyOptions['policy'] = 'strict';

  @TextList(
    'Columns whose values are masked in all results; * matches any part of a name. null: NULL; redact: ***; last4: **** and the last 4 characters of texts of at least 8',
    { optional: true, title: '[DATABASE:]SCHEMA.TABLE.COLUMN[=null|redact|last4]' },
  )
  mask?: string[];

  // Parsing cannot be interrupted, so the length is limited. The worst text of 128 KiB takes 0.2 s, and the worst text of 1 MiB
  // takes 2 s.
  @Size('Maximum length of a statement', { min: 1024, max: 1_048_576 }) maxStatementBytes = 131_072;
  @Flag(
    'Accept a role with privileges that a read-only transaction does not restrict, such as superuser or access to server files',
  )
  allowPrivilegedRole = false;

  @Flag('Let the tool cancel act on sessions of other roles too, if PostgreSQL permits it') cancelOthers = false;
  @Duration('Maximum timeout_ms of execute, run_maintenance and import; their default is --statement-timeout', {
    min: 100,
    max: 86_400_000,
  })
  override writeTimeout = 3_600_000;

  @Size('Memory that a sort or hash may use before it writes temporary files; default: the setting of the database server', {
    optional: true,
    min: 65_536,
    max: 2047 * 1024 ** 3,
  })
  workMem?: number;

  @Field('Maximum estimated cost of a statement that reads; default: no limit', { title: 'COST' })
  @IsOptional()
  @IsNumber()
  @Min(1)
  maxCost?: number;

  @Integer('Maximum number of tables, views and partitions that are copied into a temporary database', {
    min: 1,
    max: 10_000,
    title: 'N',
  })
  maxCopiedTables = 300;

  @Size('Maximum size of the sampled rows of a table that rehearse_migration copies; larger samples are not copied', {
    min: 1024,
    max: 268_435_456,
  })
  maxSampleBytes = 4_194_304;

  @Integer('Maximum number of workers of a parallel step; default: the setting of the database server', {
    optional: true,
    min: 0,
    max: 1024,
    title: 'N',
  })
  parallelWorkers?: number;
}
