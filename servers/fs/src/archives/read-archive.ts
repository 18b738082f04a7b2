import { ToolError } from '@org/mcp-decorators';
import { quotePath } from '@org/mcp-roots';

import type { ReadableFile } from '../journal/contents.ts';
import { invalidArchive, type ArchiveEntry } from './archive-entry.ts';
import { readTar } from './read-tar.ts';
import { readZip, toArchiveError } from './read-zip.ts';

/** Limits of an archive. */
export interface ArchiveLimits {
  readonly maxArchiveEntries: number;
  /** Maximum number of bytes of all contents. */
  readonly maxArchiveBytes: number;
  /** Maximum ratio of the bytes of all contents to the bytes of the archive. */
  readonly maxArchiveRatio: number;
}

/** Position of the mark `ustar` in a tar archive, in bytes. */
const TAR_MARK = 257;
/** Number of bytes that are read to detect the type of an archive. */
const SAMPLE = 512;
/** Number of bytes of contents that the ratio does not limit, because small files compress very well. */
const FREE_BYTES = 1_048_576;
/** Number of bytes that the headers and the padding of each entry of a tar archive may have. */
const PER_ENTRY = 2048;

/**
 * Yields the entries of a ZIP or tar archive, and enforces the limits of their number and of the sizes that the archive declares.
 *
 * @throws ToolError INVALID_ARCHIVE for a file that is no archive and for an invalid archive; TOO_LARGE beyond the limits;
 * CONFLICT if the file became shorter; the signal's reason
 */
export async function* readArchive(
  file: ReadableFile,
  given: string,
  limits: ArchiveLimits,
  signal: AbortSignal,
): AsyncGenerator<ArchiveEntry> {
  const room = getRoom(file, limits);
  let entries = 0;
  let bytes = 0;
  for await (const entry of await openArchive(file, given, limits, signal)) {
    entries += 1;
    bytes += entry.bytes;
    if (entries > limits.maxArchiveEntries) throw tooMany(limits);
    if (bytes > room) throw tooLarge(file, limits);
    yield { ...entry, read: () => limitEntry(entry, signal) };
  }
}

async function openArchive(
  file: ReadableFile,
  given: string,
  limits: ArchiveLimits,
  signal: AbortSignal,
): Promise<AsyncGenerator<ArchiveEntry>> {
  const sample = await file.readAt(0, SAMPLE);
  const isGzip = sample[0] === 0x1f && sample[1] === 0x8b;
  if (sample.subarray(0, 2).toString('latin1') === 'PK') return readZip(file, signal);
  if (!isGzip && sample.subarray(TAR_MARK, TAR_MARK + 5).toString('latin1') !== 'ustar')
    throw new ToolError('INVALID_ARCHIVE', `${quotePath(given)} is neither a ZIP archive nor a tar archive (plain or gzip)`);
  const maxBytes = getRoom(file, limits) + (limits.maxArchiveEntries + 1) * PER_ENTRY;
  return readTar(file, { isCompressed: isGzip, maxBytes, signal });
}

/** Returns the maximum number of bytes of all contents. */
function getRoom({ size }: ReadableFile, { maxArchiveBytes, maxArchiveRatio }: ArchiveLimits): number {
  return Math.min(maxArchiveBytes, FREE_BYTES + size * maxArchiveRatio);
}

/** Yields a content and requires that it has the declared size, because the limits apply to the declared sizes. */
async function* limitEntry({ name, bytes: declared, read }: ArchiveEntry, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const part of read()) {
      signal.throwIfAborted();
      bytes += part.length;
      if (bytes > declared) throw invalidArchive(name, 'is longer than the archive declares');
      yield part;
    }
  } catch (error) {
    throw toArchiveError(error, signal);
  }
  if (bytes < declared) throw invalidArchive(name, 'is shorter than the archive declares');
}

function tooMany({ maxArchiveEntries }: ArchiveLimits): ToolError {
  return new ToolError('TOO_LARGE', `the archive has more than ${maxArchiveEntries} entries`, {
    hint: 'the operator can raise the limit with --max-archive-entries',
  });
}

function tooLarge({ size }: ReadableFile, { maxArchiveBytes, maxArchiveRatio }: ArchiveLimits): ToolError {
  const isRatio = FREE_BYTES + size * maxArchiveRatio < maxArchiveBytes;
  const limit = isRatio ? `${maxArchiveRatio} times its own size` : `${maxArchiveBytes} bytes`;
  return new ToolError('TOO_LARGE', `the contents of the archive have more than ${limit}`, {
    hint: `the operator can raise the limit with ${isRatio ? '--max-archive-ratio' : '--max-archive-bytes'}`,
  });
}
