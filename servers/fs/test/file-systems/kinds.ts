import { aliasing, casefoldImage, image, served, tmpfs, type Mount } from './mounts.ts';

/** A file system, and what it takes for the same name. */
export interface FileSystemKind {
  readonly name: string;
  readonly mount: Mount;
  /** Names that differ only in case are one. */
  readonly ignoresCase?: true;
  /** Whatever the case of a name was, it is listed in lower case. */
  readonly listsLowerCase?: true;
  /** Every user may write every file, whatever mode was wanted. */
  readonly isOpenToAll?: true;
  /** Names that differ only in their Unicode normal form are one. */
  readonly normalises?: true;
  /** Dots at the end of a name do not count. */
  readonly strips?: true;
  /** Long names have short ones beside them. */
  readonly shortens?: true;
  /** `name:x` opens something of `name`. */
  readonly streams?: true;
}

/** File systems without modes give every file the same mode, and a state directory has to be private. */
const PRIVATE = 'umask=077';

export const KINDS: readonly FileSystemKind[] = [
  { name: 'tmpfs', mount: tmpfs() },
  { name: 'ext4', mount: image(32, ['mkfs.ext4', '-q', '-F'], 'ext4') },
  { name: 'ext4 with casefold', mount: casefoldImage(32), ignoresCase: true, normalises: true },
  { name: 'XFS', mount: image(320, ['mkfs.xfs', '-q', '-f'], 'xfs') },
  { name: 'XFS that ignores case', mount: image(320, ['mkfs.xfs', '-q', '-f', '-n', 'version=ci'], 'xfs'), ignoresCase: true },
  { name: 'btrfs', mount: image(120, ['mkfs.btrfs', '-q', '-f'], 'btrfs') },
  { name: 'FAT', mount: image(32, ['mkfs.vfat', '-F', '32'], 'vfat', PRIVATE), ignoresCase: true, strips: true, shortens: true },
  {
    name: 'exFAT by FUSE',
    mount: served(32, ['mkfs.exfat'], ['mount.exfat-fuse', '-o', `allow_other,${PRIVATE}`]),
    ignoresCase: true,
  },
  {
    name: 'NTFS by FUSE, ignoring case',
    mount: served(32, ['mkntfs', '-F', '-Q', '-q'], ['lowntfs-3g', '-o', 'ignore_case']),
    ignoresCase: true,
    listsLowerCase: true,
    isOpenToAll: true,
  },
  {
    name: 'NTFS by FUSE, with streams',
    mount: served(32, ['mkntfs', '-F', '-Q', '-q'], ['ntfs-3g', '-o', `streams_interface=windows,${PRIVATE}`]),
    streams: true,
  },
  {
    name: 'FUSE with every alias',
    mount: aliasing('fold', 'normalise', 'strip', 'short', 'streams'),
    ignoresCase: true,
    normalises: true,
    strips: true,
    shortens: true,
    streams: true,
  },
  {
    name: 'FUSE that ignores case and numbers each spelling',
    mount: aliasing('fold', 'strip', 'renumber'),
    ignoresCase: true,
    normalises: true,
    strips: true,
  },
  { name: 'FUSE that normalises', mount: aliasing('normalise'), normalises: true },
  { name: 'FUSE with short names and streams', mount: aliasing('short', 'streams'), shortens: true, streams: true },
];
