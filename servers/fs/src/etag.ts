import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';

/** Changes with a file: its identity, its size or the time of its last change. 16 characters. */
export function etagOf({ dev, ino, size, mtimeNs }: BigIntStats): string {
  return createHash('sha256').update(`${dev}:${ino}:${size}:${mtimeNs}`).digest('base64url').slice(0, 16);
}
