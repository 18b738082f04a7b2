import { describe, expect, it } from 'vitest';

import { isAnsweredAtOnce, parseMounts } from '../../src/hold/mounts.ts';

/** Lines as Linux writes them to /proc/self/mountinfo. */
function mountinfo(mounts: Readonly<Record<string, string>>): string {
  return Object.entries(mounts)
    .map(
      ([path, type], index) => `${index + 20} 1 8:${index} / ${path} rw,relatime shared:${index} master:1 - ${type} /dev/x rw\n`,
    )
    .join('');
}

const DISKS = { '/': 'ext4', '/proc': 'proc', '/srv': 'xfs', '/tmp': 'tmpfs' };

describe('the file system of a directory', () => {
  it.each<readonly [string, Readonly<Record<string, string>>, string, boolean]>([
    ['disks of this machine', DISKS, '/srv/files', true],
    ['a root that is all of the machine', DISKS, '/', true],
    ['a program’s file system elsewhere', { ...DISKS, '/run/user/1000/doc': 'fuse.portal' }, '/srv/files', true],
    ['a program’s file system', { ...DISKS, '/home/me/mail': 'fuse.mailfs' }, '/home/me/mail/inbox', false],
    ['a program’s file system below', { ...DISKS, '/srv/files/mail': 'fuse' }, '/srv/files', false],
    ['a sibling whose name begins alike', { ...DISKS, '/srv/files2': 'fuse' }, '/srv/files', true],
    ['a disk in a program’s file system', { ...DISKS, '/m': 'fuse', '/m/disk': 'ext4' }, '/m/disk/a', true],
    ['one that covers another on the same path', { ...DISKS, '/m': 'ext4', '/m/': 'fuse' }, '/m/a', false],
    ['what is mounted when it is looked at', { ...DISKS, '/net': 'autofs' }, '/net', false],
    ['a network’s file system anywhere, for links lead there', { ...DISKS, '/mnt/nas': 'nfs4' }, '/srv/files', false],
    ['a folder shared with a host', { ...DISKS, '/mnt/c': '9p' }, '/srv/files', false],
    ['a network’s file system of a program', { ...DISKS, '/mnt/far': 'fuse.sshfs' }, '/srv/files', false],
    ['a mount with a space in its path', { ...DISKS, [String.raw`/my\040files`]: 'fuse' }, '/my files/a', false],
  ])('answers at once or may not: %s', (_, mounts, directory, atOnce) => {
    expect(isAnsweredAtOnce(directory, parseMounts(mountinfo(mounts)))).toBe(atOnce);
  });

  it('may not answer where the platform does not say', () => {
    expect(isAnsweredAtOnce('/srv', undefined)).toBe(false);
  });

  it('is read past what is no mount', () => {
    expect(parseMounts('\nnonsense\n36 35 98:0 / /mnt rw - ext3 /dev/root rw\n')).toEqual([{ path: '/mnt', type: 'ext3' }]);
  });
});
