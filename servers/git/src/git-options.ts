import { Flag, Integer, OneOf, TextList } from '@org/mcp-decorators';
import { DirectoryOptions, type OptionGroups, Size } from '@org/mcp-host';

const TRUST = ['none', 'listed', 'all'] as const;

/** Repositories whose configuration may start programs: none, the repositories given on the command line, or all. */
export type Trust = (typeof TRUST)[number];

/** Options for the git server. */
export class GitOptions extends DirectoryOptions {
  static override readonly positional: string | undefined = 'directories';
  static override readonly groups: OptionGroups = {
    Permissions: ['trust', 'allowHooks', 'protectedBranches', 'remoteHosts'],
    Results: ['maxBytes', 'maxResourceBytes', 'maxEntries', 'maxCommits', 'maxPatchBytes'],
  };

  @TextList('Repositories, or directories that contain repositories; nothing outside these directories is used', {
    title: 'DIRECTORY',
    format: 'path',
  })
  directories: string[] = [];

  /**
   * Timeout of a call in milliseconds, by default 1 minute. Tools that connect to a remote have a fixed timeout of 1 hour
   * instead. The timeout also ends the processes that git started.
   */
  override timeout = 60_000;

  @OneOf(TRUST, 'Repositories whose configuration may run filters and other programs; listed: repositories given as DIRECTORY', {
    title: 'WHICH',
  })
  trust: Trust = 'none';

  @Flag('Run the hooks of the repositories; by default, hooks never run') allowHooks = false;

  /** Branch names without `refs/heads/`; `*` matches any characters except `/`. */
  @TextList('Branches that are never deleted, renamed or force-pushed, locally and at remotes', { title: 'NAMES' })
  protectedBranches: string[] = ['main', 'master'];

  /** Default: every host over https and ssh. Plain http is used only for hosts given as `http://HOST[:PORT]`. */
  @TextList('Allowed hosts of remotes; default: every host over https and ssh', { optional: true, title: 'HOSTS' })
  remoteHosts?: string[];

  // The upper limit: stdio clients of the SDK reject messages of 10 MiB, and JSON writes a control character with six bytes.
  // The default: hosts show a model at least 20,000 characters of a result.
  @Size('Maximum number of bytes that a call returns; a note explains how to read the rest', {
    min: 1024,
    max: 1_048_576,
  })
  maxBytes = 20_000;

  // Clients cannot read a resource or prompt page by page, so this limit is higher than `maxBytes`.
  @Size('Maximum number of bytes in a resource or prompt', { min: 1024, max: 1_572_864 })
  maxResourceBytes = 262_144;

  @Integer('Maximum number of list entries that one call returns', { min: 1, max: 50_000, title: 'N' })
  maxEntries = 2000;

  @Integer('Maximum number of commits on one page of the log', { min: 1, max: 10_000, title: 'N' }) maxCommits = 1000;

  @Size('Maximum number of bytes of a patch that git_apply accepts', { min: 1024, max: 16_777_216 })
  maxPatchBytes = 1_048_576;
}
