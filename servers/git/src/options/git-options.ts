import { Integer, TextList } from '@org/mcp-decorators';

import { SafetyOptions } from './safety-options.ts';

/** Options of the git server. */
export class GitOptions extends SafetyOptions {
  static override readonly positional: string | undefined = 'directories';

  @TextList('Repositories, or directories that hold some; nothing outside them is used', { title: 'DIRECTORY', format: 'path' })
  directories: string[] = [];

  /** With every process that it started. Tools that talk to a remote may take an hour. */
  override timeout = '1m';

  // The SDK's stdio clients close at a message of 10 MiB, and JSON writes a control character with six bytes.
  // Hosts show a model at least 20,000 characters of a result.
  @Integer('Maximum number of bytes that a call returns; a note says how to read the rest', {
    min: 1024,
    max: 1_048_576,
    title: 'BYTES',
  })
  maxBytes = 20_000;

  // Clients read a resource or a prompt as a whole.
  @Integer('Most bytes of a resource, or of what a prompt contains', { min: 1024, max: 1_572_864, title: 'BYTES' })
  maxResourceBytes = 262_144;

  @Integer('Most entries of a status, and most branches, that one call returns', { min: 1, max: 50_000, title: 'N' })
  maxEntries = 2000;

  @Integer('Most commits that one page of the log holds', { min: 1, max: 10_000, title: 'N' }) maxCommits = 1000;
}
