import { Field } from '@org/mcp-decorators';
import { ServerOptions } from '@org/mcp-host';
import { IsBoolean, IsInt, IsNotEmpty, IsOptional, IsString, Max, Min } from 'class-validator';

import { roleSql } from '../database/role-sql.ts';

/** Where the databases are, and how they are connected to. */
export class ConnectionOptions extends ServerOptions {
  static override readonly positional: string | undefined = 'url';
  static override readonly prints: Readonly<Record<string, () => string>> = { printRoleSql: roleSql };

  @Field(
    'Connection URL, postgres://user:password@host/database, or postgres:// for what PGHOST and the like say; without one an embedded PostgreSQL is started',
    {
      title: 'URL',
      format: 'password',
    },
  )
  @IsOptional()
  @IsString()
  url?: string;

  @Field('Further databases, each under a name of its own', { title: 'ID=URL', format: 'password' })
  @IsOptional()
  @IsString({ each: true })
  database?: string[];

  @Field('File with the password for connection URLs without one; default: PGPASSWORD, then PGPASSFILE or ~/.pgpass', {
    title: 'FILE',
    format: 'path',
  })
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  passwordFile?: string;

  @Field('Print the SQL that makes a role which can only read, and end')
  @IsBoolean()
  printRoleSql = false;

  @Field('Fill the embedded database with a small shop to try things on')
  @IsBoolean()
  sample = false;

  @Field('Keep the embedded database in this directory; without it the data is temporary', {
    title: 'DIRECTORY',
    format: 'path',
  })
  @IsOptional()
  @IsString()
  dataDir?: string;

  @Field('Most connections to each database', { title: 'N' })
  @IsInt()
  @Min(1)
  @Max(100)
  maxConnections = 10;

  @Field('Longest to wait for a connection, be it made or come free', { title: 'MS' })
  @IsInt()
  @Min(100)
  @Max(600_000)
  connectTimeoutMs = 10_000;
}
