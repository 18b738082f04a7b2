import { Field } from '@org/mcp-decorators';
import { ServerOptions } from '@org/mcp-host';
import { IsBoolean, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';

/** Options of the PostgreSQL server. */
export class PostgresOptions extends ServerOptions {
  static override readonly positional: string | undefined = 'url';

  @Field('Connection URL, postgres://user:password@host/database; without one an embedded PostgreSQL is started', {
    title: 'URL',
    format: 'password',
  })
  @IsOptional()
  @IsString()
  url?: string;

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

  @Field('Accept a URL whose role could write or read files of the database server in spite of a read-only transaction')
  @IsBoolean()
  allowPrivilegedRole = false;

  @Field('Most rows that a call may ask for', { title: 'N' })
  @IsInt()
  @Min(1)
  @Max(10_000)
  maxRows = 10_000;

  // The SDK's stdio clients close at a message of 10 MiB, and JSON writes a control character with six bytes.
  @Field('Most bytes of rows that a call may ask for', { title: 'BYTES' })
  @IsInt()
  @Min(1024)
  @Max(1_572_864)
  maxBytes = 1_572_864;

  @Field('Longest that a statement may run, and its default', { title: 'MS' })
  @IsInt()
  @Min(100)
  @Max(3_600_000)
  timeoutMs = 30_000;

  @Field('Most connections to the database', { title: 'N' })
  @IsInt()
  @Min(1)
  @Max(100)
  maxConnections = 10;
}
