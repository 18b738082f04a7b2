import { readFileSync } from 'node:fs';

import { isContained } from '../paths/contained.ts';
import { DIRECT, POOLED, type Calls } from './calls.ts';

/** File systems behind a network: a link may lead there from anywhere, so one that is mounted anywhere counts. */
const NETWORK =
  /^(?:nfs|nfs4|cifs|smb3|smbfs|9p|ceph|afs|coda|lustre|gpfs|glusterfs|fuse\.(?:sshfs|glusterfs|s3fs|rclone|davfs2?|ceph.*))$/;
/** File systems that a program of the user's answers for, or that mount something when they are looked at. */
const ANSWERED = /^(?:fuse(?:blk)?(?:\..+)?|autofs|vboxsf|prl_fs)$/;

interface Mount {
  readonly path: string;
  readonly type: string;
}

/** Milliseconds for which the list of mounts is taken for true. */
const FRESH = 5000;

let known: { readonly mounts: readonly Mount[] | undefined; readonly until: number } | undefined;

/** How to call the file system for a directory: at once only where every answer comes from this machine's own disks. */
export function callsFor(directory: string): Calls {
  const now = performance.now();
  if (known === undefined || now > known.until) known = { mounts: readMounts(), until: now + FRESH };
  return isAnsweredAtOnce(directory, known.mounts) ? DIRECT : POOLED;
}

/** @param mounts `undefined` where the platform does not say */
export function isAnsweredAtOnce(directory: string, mounts: readonly Mount[] | undefined): boolean {
  if (mounts === undefined || mounts.some(({ type }) => NETWORK.test(type))) return false;
  const below = mounts.filter(({ path }) => isContained(directory, path));
  return ![...below, mountOf(directory, mounts)].some((mount) => mount !== undefined && ANSWERED.test(mount.type));
}

/** The one with the longest path; of several on one path the last covers the others. */
function mountOf(directory: string, mounts: readonly Mount[]): Mount | undefined {
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

/** Lines of `36 35 98:0 / /mnt rw,noatime shared:1 - ext3 /dev/root rw`: the fifth field, and the first after the dash. */
export function parseMounts(text: string): readonly Mount[] {
  return text.split('\n').flatMap((line) => {
    const [, path, type] = /^(?:\S+ ){4}(\S+) .*? - (\S+) /.exec(line) ?? [];
    return path === undefined || type === undefined ? [] : [{ path: unescaped(path), type }];
  });
}

/** Spaces, tabs, newlines and backslashes are written as `\040`. */
function unescaped(path: string): string {
  return path.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 8)));
}
