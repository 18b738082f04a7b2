import { Field } from '@org/mcp-decorators';
import { IsInt, IsString, Max, Min } from 'class-validator';

import { SafetyOptions } from './safety-options.ts';

/** Options of the git server. */
export class GitOptions extends SafetyOptions {
  static override readonly positional: string | undefined = 'directories';

  @Field('Repositories, or directories that hold some; nothing outside them is used', {
    title: 'DIRECTORY',
    format: 'path',
  })
  @IsString({ each: true })
  directories: string[] = [];

  /** With every process that it started. Tools that talk to a remote may take an hour. */
  override timeout = '1m';

  // The SDK's stdio clients close at a message of 10 MiB, and JSON writes a control character with six bytes.
  // Hosts show a model at least 20,000 characters of a result.
  @Field('Maximum number of bytes that a call returns; a note says how to read the rest', { title: 'BYTES' })
  @IsInt()
  @Min(1024)
  @Max(1_048_576)
  maxBytes = 20_000;

  // Clients read a resource or a prompt as a whole.
  @Field('Most bytes of a resource, or of what a prompt contains', { title: 'BYTES' })
  @IsInt()
  @Min(1024)
  @Max(1_572_864)
  maxResourceBytes = 262_144;

  @Field('Most entries of a status, and most branches, that one call returns', { title: 'N' })
  @IsInt()
  @Min(1)
  @Max(50_000)
  maxEntries = 2000;

  @Field('Most commits that one page of the log holds', { title: 'N' })
  @IsInt()
  @Min(1)
  @Max(10_000)
  maxCommits = 1000;
}
