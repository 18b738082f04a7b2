import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

const PAGE_BYTES = 8192;
/** PostgreSQL splits the file of a relation into segments of this size. */
const SEGMENT_BYTES = 2 ** 30;
/** Maximum number of segments of one relation. A larger relation is modelled with this size (1 TiB). */
const MAX_SEGMENTS = 1024;

/**
 * Extends the file of an empty relation with a hole, which occupies no disk space. The planner takes the size of a relation from its
 * file, whatever the statistics say. PostgreSQL reads a page of zeros as a new, empty page.
 */
export async function extendSparsely(file: string, pages: number): Promise<void> {
  const bytes = Math.min(pages * PAGE_BYTES, SEGMENT_BYTES * MAX_SEGMENTS);
  for (let segment = 0; segment * SEGMENT_BYTES < bytes; segment++) {
    const size = Math.min(bytes - segment * SEGMENT_BYTES, SEGMENT_BYTES);
    await extendFile(segment === 0 ? file : `${file}.${segment}`, size);
  }
}

async function extendFile(file: string, size: number): Promise<void> {
  await using handle = await open(file, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o666);
  const { size: present } = await handle.stat();
  if (present < size) await handle.truncate(size);
}
