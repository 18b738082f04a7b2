import { Field } from '@org/mcp-decorators';
import { ServerOptions } from '@org/mcp-host';
import { IsBoolean, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';

/** Where the databases are, and how they are connected to. */
export class ConnectionOptions extends ServerOptions {
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

  @Field('Most connections to the database', { title: 'N' })
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
