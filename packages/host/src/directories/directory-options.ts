import { Integer, OneOf } from '@org/mcp-decorators';

import type { OptionGroups } from '../options/option.ts';
import { Duration } from '../options/quantities.ts';
import { ServerOptions } from '../options/server-options.ts';
import type { Diagnosis } from '../process/server-object.ts';
import { UsageError } from '../process/usage-error.ts';

const ROOTS = ['narrow', 'overlap', 'only', 'off'] as const;

/** Effect of a client's roots on the operator's directories. */
export type RootsPolicy = (typeof ROOTS)[number];

/** Options for a server that works in directories. {@link CallRoots} applies them. */
export class DirectoryOptions extends ServerOptions {
  static override readonly groups: OptionGroups = { Directories: ['roots', 'rootsTimeout', 'maxWatches'] };

  /**
   * `narrow` and `overlap` request the roots of clients that support them, and ignore an empty list. `only` rejects clients without
   * roots. `off` requests no roots.
   */
  @OneOf(
    ROOTS,
    "How a client's roots limit the directories. narrow: only directories inside the roots; overlap: like narrow, but all directories if no root overlaps them; only: like narrow, and clients without roots are rejected; off: roots are not requested",
    { title: 'USE' },
  )
  roots: RootsPolicy = 'narrow';

  /** In ms. Applies only to sessions. On revision 2026-07-28, a call does not wait: it ends with a request for the roots. */
  @Duration("In a session, how long a call waits for the client's roots before it fails") rootsTimeout = 10_000;

  /** The default is the smallest default limit of Linux for the watches of one user. */
  @Integer('Maximum number of watched directories; other directories are polled every second', { min: 0, title: 'N' })
  maxWatches = 8192;
}

const EFFECTS: Readonly<Record<RootsPolicy, string>> = {
  narrow: "narrow: a client's roots narrow the directories; roots that overlap none of them exclude every path",
  overlap: "overlap: a client's roots narrow the directories; roots that overlap none of them change nothing",
  only: "only: a client's roots narrow the directories; a client without roots may use no directory",
  off: "off: clients' roots are not requested; the directories apply unchanged",
};

/** Returns the line of `check` about client roots: the effect of `--roots`, or the consequences of missing directories. */
export function diagnoseClientRoots({ roots }: Pick<DirectoryOptions, 'roots'>, directories: readonly unknown[]): Diagnosis {
  if (directories.length > 0) return { subject: 'roots', ok: true, detail: EFFECTS[roots] };
  const calls = roots === 'off' ? 'every call fails with ROOTS_REQUIRED' : 'only calls of clients with roots succeed';
  return { subject: 'roots', ok: false, detail: `no directories: ${calls}, and no resources are listed, completed or watched` };
}

/**
 * Returns the end of a report about a missing directory: a hint if a part of its path is `~`, otherwise an empty text. A
 * shell replaces `~`, but a client does not.
 */
export function explainTilde(directory: string): string {
  return directory.split(/[/\\]/).includes('~') ? '; "~" is not replaced: write the path of your home directory' : '';
}

/**
 * Requires directories over HTTP, because any HTTP client could otherwise choose the allowed directories itself.
 *
 * @throws UsageError if the server uses HTTP without directories
 */
export function requireDirectories({ http }: Pick<ServerOptions, 'http'>, directories: readonly unknown[]): void {
  if (http !== undefined && directories.length === 0)
    throw new UsageError('over HTTP, the allowed directories must be given; client roots can only narrow them');
}
