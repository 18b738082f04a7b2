import { readFileSync } from 'node:fs';

import { isContained } from '../paths/containment.ts';
import { SYNCHRONOUS_CALLS, POOLED_CALLS, type FileSystemCalls } from './file-system-calls.ts';

/**
 * Matches network file systems. If one is mounted anywhere, all calls use the pool, because a link from anywhere may
 * point into it.
 */
const NETWORK =
  /^(?:nfs|nfs4|cifs|smb3|smbfs|9p|ceph|afs|coda|lustre|gpfs|glusterfs|fuse\.(?:sshfs|glusterfs|s3fs|rclone|davfs2?|ceph.*))$/;
/** Matches file systems that a user's program serves, or that mount other file systems on access. */
const PROGRAM_BACKED = /^(?:fuse(?:blk)?(?:\..+)?|autofs|vboxsf|prl_fs)$/;

interface Mount {
  readonly path: string;
  readonly type: string;
}

/** Milliseconds for which the list of mounts is cached. */
const CACHE_MS = 5000;

let known: { readonly mounts: readonly Mount[] | undefined; readonly until: number } | undefined;

/** Selects the calls for a directory: synchronous calls only if local disks answer every call. */
export function selectCalls(directory: string): FileSystemCalls {
  const now = performance.now();
  if (known === undefined || now > known.until) known = { mounts: readMounts(), until: now + CACHE_MS };
  return isOnLocalDisk(directory, known.mounts) ? SYNCHRONOUS_CALLS : POOLED_CALLS;
}

/** @param mounts `undefined` if the platform does not list its mounts */
export function isOnLocalDisk(directory: string, mounts: readonly Mount[] | undefined): boolean {
  if (mounts === undefined || mounts.some(({ type }) => NETWORK.test(type))) return false;
  const below = mounts.filter(({ path }) => isContained(directory, path));
  return ![...below, findMount(directory, mounts)].some((mount) => mount !== undefined && PROGRAM_BACKED.test(mount.type));
}

/**
 * Returns the mount that contains a directory: of all mounts above the directory, the one with the longest path. If a path has
 * several mounts, the last one covers the others.
 */
function findMount(directory: string, mounts: readonly Mount[]): Mount | undefined {
  return mounts
    .filter(({ path }) => isContained(path, directory))
    .reduce<Mount | undefined>((best, mount) => (mount.path.length >= (best?.path.length ?? 0) ? mount : best), undefined);
}

function readMounts(): readonly Mount[] | undefined {
  try {
    return parseMounts(readFileSync('/proc/self/mountinfo', 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Parses lines such as `36 35 98:0 / /mnt rw,noatime shared:1 - ext3 /dev/root rw`: the path is the fifth field, the type follows
 * the dash.
 */
export function parseMounts(text: string): readonly Mount[] {
  return text.split('\n').flatMap((line) => {
    const [, path, type] = /^(?:\S+ ){4}(\S+) .*? - (\S+) /.exec(line) ?? [];
    return path === undefined || type === undefined ? [] : [{ path: unescapeOctal(path), type }];
  });
}

/** Replaces octal escapes: the kernel writes spaces, tabs, newlines and backslashes in octal, such as `\040`. */
function unescapeOctal(path: string): string {
  return path.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 8)));
}
