import { Field } from '@org/mcp-decorators';
import { DirectoryOptions } from '@org/mcp-host';
import { IsInt, IsString, Max, Min } from 'class-validator';

/** Options of the filesystem server. */
export class FilesystemOptions extends DirectoryOptions {
  static override readonly positional: string | undefined = 'directories';

  @Field('Directories that may be read and written; paths elsewhere are refused', { title: 'DIRECTORY', format: 'path' })
  @IsString({ each: true })
  directories: string[] = [];

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
