import { statfs } from 'node:fs/promises';

/** Linux's numbers of file systems that may have to ask another machine, or a program: NFS, SMB, 9P, FUSE, Ceph, AFS, Lustre. */
const REMOTE: ReadonlySet<number> = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x65735546, 0x00c36400, 0x5346414f, 0x0bd00bd0,
]);

/** Whether what is at a path can be asked for without waiting; `false` while nothing is there. */
export async function isLocal(location: string): Promise<boolean> {
  try {
    return !REMOTE.has((await statfs(location)).type);
  } catch {
    return false;
  }
}
