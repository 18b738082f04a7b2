import { Field } from '@org/mcp-decorators';
import { ServerOptions } from '@org/mcp-host';
import { IsBoolean, IsIn, IsInt, IsString, Max, Min } from 'class-validator';

const HARD_LINKS = ['allow', 'deny'] as const;

/** Options of the filesystem server. */
export class FilesystemOptions extends ServerOptions {
  static override readonly positional: string | undefined = 'directories';

  @Field('Directories that may be read and written; paths elsewhere are refused', { title: 'DIRECTORY', format: 'path' })
  @IsString({ each: true })
  directories: string[] = [];

  @Field('Directories that may only be read', { title: 'DIRECTORY', format: 'path' })
  @IsString({ each: true })
  ro: string[] = [];

  @Field('Directories that may be read and written, also inside those of --ro', { title: 'DIRECTORY', format: 'path' })
  @IsString({ each: true })
  rw: string[] = [];

  @Field('Globs of what may not be touched; one without a slash is about names at any depth', { title: 'GLOBS' })
  @IsString({ each: true })
  deny: string[] = [];

  @Field('Globs of what may be touched although it is denied', { title: 'GLOBS' })
  @IsString({ each: true })
  allow: string[] = [];

  @Field('Deny files that commonly hold secrets, such as .env, *.pem and .ssh')
  @IsBoolean()
  defaultDeny = true;

  @Field('Files with a second name, which may lie outside the directories', { title: 'WHAT' })
  @IsIn([...HARD_LINKS])
  hardLinks: 'allow' | 'deny' = 'allow';

  // The SDK's stdio clients close at a message of 10 MiB, and JSON writes a control character with six bytes.
  @Field('Most bytes of a file that one read returns', { title: 'BYTES' })
  @IsInt()
  @Min(1024)
  @Max(1_572_864)
  maxReadBytes = 262_144;

  @Field('Most entries that one listing returns', { title: 'N' })
  @IsInt()
  @Min(1)
  @Max(50_000)
  maxEntries = 2000;

  @Field('Most matches that one search returns', { title: 'N' })
  @IsInt()
  @Min(1)
  @Max(50_000)
  maxMatches = 1000;

  @Field('Most entries that one search looks at', { title: 'N' })
  @IsInt()
  @Min(1)
  @Max(10_000_000)
  maxScanned = 1_000_000;
}
