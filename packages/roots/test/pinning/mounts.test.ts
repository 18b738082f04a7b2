import { describe, expect, it } from 'vitest';

import { isOnLocalDisk, parseMounts } from '../../src/pinning/mounts.ts';

/** Formats lines like those of /proc/self/mountinfo. */
function mountinfo(mounts: Readonly<Record<string, string>>): string {
  return Object.entries(mounts)
    .map(
      ([path, type], index) => `${index + 20} 1 8:${index} / ${path} rw,relatime shared:${index} master:1 - ${type} /dev/x rw\n`,
    )
    .join('');
}

const DISKS = { '/': 'ext4', '/proc': 'proc', '/srv': 'xfs', '/tmp': 'tmpfs' };

describe('isOnLocalDisk', () => {
  it.each<readonly [string, Readonly<Record<string, string>>, string, boolean]>([
    ['local disks', DISKS, '/srv/files', true],
    ['the root of the file system', DISKS, '/', true],
    ['a FUSE mount elsewhere', { ...DISKS, '/run/user/1000/doc': 'fuse.portal' }, '/srv/files', true],
    ['a FUSE mount', { ...DISKS, '/home/me/mail': 'fuse.mailfs' }, '/home/me/mail/inbox', false],
    ['a FUSE mount below', { ...DISKS, '/srv/files/mail': 'fuse' }, '/srv/files', false],
    ['a sibling with the same prefix', { ...DISKS, '/srv/files2': 'fuse' }, '/srv/files', true],
    ['a disk mounted in a FUSE mount', { ...DISKS, '/m': 'fuse', '/m/disk': 'ext4' }, '/m/disk/a', true],
    ['a mount that covers another one', { ...DISKS, '/m': 'ext4', '/m/': 'fuse' }, '/m/a', false],
    ['an automatic mount', { ...DISKS, '/net': 'autofs' }, '/net', false],
    ['a network file system anywhere, because links may point to it', { ...DISKS, '/mnt/nas': 'nfs4' }, '/srv/files', false],
    ['a folder shared by a virtual machine', { ...DISKS, '/mnt/c': '9p' }, '/srv/files', false],
    ['a FUSE network file system', { ...DISKS, '/mnt/far': 'fuse.sshfs' }, '/srv/files', false],
    ['a mount with a space in its path', { ...DISKS, [String.raw`/my\040files`]: 'fuse' }, '/my files/a', false],
  ])('returns the expected result for %s', (_, mounts, directory, atOnce) => {
    expect(isOnLocalDisk(directory, parseMounts(mountinfo(mounts)))).toBe(atOnce);
  });

  it('is false if the platform does not list its mounts', () => {
    expect(isOnLocalDisk('/srv', undefined)).toBe(false);
  });

  it('ignores lines that are not mounts', () => {
    expect(parseMounts('\nnonsense\n36 35 98:0 / /mnt rw - ext3 /dev/root rw\n')).toEqual([{ path: '/mnt', type: 'ext3' }]);
  });
});
