import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';

/** Computes an etag of 16 characters from the identity of a file, its size and the time of its last modification. */
export function computeEtag({ dev, ino, size, mtimeNs }: BigIntStats): string {
  return createHash('sha256').update(`${dev}:${ino}:${size}:${mtimeNs}`).digest('base64url').slice(0, 16);
}
