import { Field } from '@org/mcp-decorators';
import { DirectoryOptions } from '@org/mcp-host';
import { IsIn, IsInt, IsString, Max, Min } from 'class-validator';

const TRUST = ['none', 'listed', 'all'] as const;

/** Whose configuration may name programs: nobody's, that of repositories given on the command line, or everybody's. */
export type Trust = (typeof TRUST)[number];

/** Options of the git server. */
export class GitOptions extends DirectoryOptions {
  static override readonly positional: string | undefined = 'directories';

  @Field('Repositories, or directories that hold some; nothing outside them is used', {
    title: 'DIRECTORY',
    format: 'path',
  })
  @IsString({ each: true })
  directories: string[] = [];

  @Field('Repositories whose own configuration may run filters and other programs; listed: those given as DIRECTORY', {
    title: 'WHICH',
  })
  @IsIn([...TRUST])
  trust: Trust = 'none';

  // The SDK's stdio clients close at a message of 10 MiB, and JSON writes a control character with six bytes.
  @Field('Most bytes of a diff, a log, a file or a blame that one call returns', { title: 'BYTES' })
  @IsInt()
  @Min(1024)
  @Max(1_572_864)
  maxBytes = 262_144;

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

  @Field('A call that takes longer is ended, with every process it started', { title: 'MS' })
  @IsInt()
  @Min(100)
  @Max(3_600_000)
  timeoutMs = 60_000;
}
