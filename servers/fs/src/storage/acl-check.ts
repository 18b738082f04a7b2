import { access, realpath, statfs } from 'node:fs/promises';
import path from 'node:path';

import { runShell, SHELL, SYSTEM_PROGRAMS } from './system-shell.ts';

/**
 * File systems for which `getfacl` is reliable, by the magic number that `statfs` returns: ext4, XFS, Btrfs, tmpfs, overlayfs,
 * F2FS, ZFS, bcachefs, JFS. On a network file system, the ACL may be visible only to its server, although the mode shows the ACL
 * mask.
 */
const LOCAL: ReadonlySet<number> = new Set([
  0xef53, 0x5846_5342, 0x9123_683e, 0x0102_1994, 0x794c_7630, 0xf2f5_2010, 0x2fc1_2fc1, 0xca45_1a4e, 0x3153_464a,
]);

/** Shell script that exits with 0 if the file at descriptor 3 has no ACL in addition to its mode. */
const HAS_NO_ACL = 'acl=$(getfacl --skip-base --absolute-names /proc/self/fd/3 2>/dev/null) && [ -z "$acl" ]';

interface CheckOptions {
  readonly programs: string;
  readonly timeoutMs: number;
}

/** Returns whether `getfacl` reports that an open file has no ACL. Returns `false` if this is unknown. */
export async function hasNoAcl(descriptor: number, options: CheckOptions): Promise<boolean> {
  const { type } = await statfs(`/proc/self/fd/${descriptor}`);
  return LOCAL.has(type) && (await runShell(HAS_NO_ACL, { ...options, descriptors: [descriptor] })) === 0;
}

/** Programs that contain small versions of many other programs; these versions do not support ACLs. */
const SMALL: ReadonlySet<string> = new Set(['busybox', 'toybox']);

/**
 * Explains why this system cannot change files whose mode gives the group more access than other users. Returns `undefined` if
 * such files can be changed. No program is started, so that the check does not delay the start of the server.
 */
export async function findAclProblem(programs: string = SYSTEM_PROGRAMS): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined;
  const [copies, checks] = await Promise.all(['cp', 'getfacl'].map((name) => isInstalled(name, programs)));
  if ((copies || checks) && (await exists(SHELL))) return undefined;
  return (
    `files whose mode gives the group more access than other users cannot be changed: ${programs.replaceAll(':', ' and ')} contain neither ` +
    'cp of GNU coreutils nor getfacl, so an ACL could be lost; install coreutils or acl'
  );
}

async function isInstalled(name: string, programs: string): Promise<boolean> {
  for (const directory of programs.split(':')) {
    const program = await realpath(path.join(directory, name)).catch(() => undefined);
    if (program !== undefined) return !SMALL.has(path.basename(program));
  }
  return false;
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
