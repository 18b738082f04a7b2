import { describe, expect, it } from 'vitest';

import { isAnsweredAtOnce, parseMounts } from '../../src/hold/mounts.ts';

const LOCAL = { path: '/', type: 'ext4' };

describe('the list of mounts', () => {
  it('is read with paths that have spaces, and with fields that not every line has', () => {
    const lines = [
      '22 1 253:0 / / rw,relatime shared:1 - ext4 /dev/vda rw',
      String.raw`36 22 0:31 / /mnt/my\040disk rw,noatime - fuse.sshfs host:/ rw,user_id=0`,
      '37 22 0:32 /sub /mnt/b\\134c rw master:1 propagate_from:2 - tmpfs tmpfs rw',
      '',
    ];
    expect(parseMounts(lines.join('\n'))).toEqual([
      LOCAL,
      { path: '/mnt/my disk', type: 'fuse.sshfs' },
      { path: String.raw`/mnt/b\c`, type: 'tmpfs' },
    ]);
  });
});

describe('a directory', () => {
  it.each([
    ['on a disk of this machine', '/srv', [LOCAL], true],
    ['beside what a program answers for', '/srv', [LOCAL, { path: '/mnt', type: 'fuse' }], true],
    ['that a program answers for', '/mnt/a', [LOCAL, { path: '/mnt', type: 'fuse.gvfsd-fuse' }], false],
    ['with such a directory below', '/srv', [LOCAL, { path: '/srv/auto', type: 'autofs' }], false],
    ['whose name only begins like that of one', '/srv2', [LOCAL, { path: '/srv', type: 'fuse' }], true],
    [
      'on a disk that covers such a directory',
      '/mnt/a',
      [
        { path: '/mnt', type: 'fuse' },
        { path: '/mnt', type: 'ext4' },
      ],
      true,
    ],
    ['where a link may lead to another machine', '/srv', [LOCAL, { path: '/net', type: 'nfs4' }], false],
    ['of another machine', '/net', [LOCAL, { path: '/net', type: 'cifs' }], false],
  ])('answers at once or not: %s', (_, directory, mounts, expected) => {
    expect(isAnsweredAtOnce(directory, mounts)).toBe(expected);
  });

  it('is not relied on where the platform names no mounts', () => {
    expect(isAnsweredAtOnce('/srv', undefined)).toBe(false);
  });
});
