import { Readable, Transform, type TransformCallback } from 'node:stream';
import { crc32 } from 'node:zlib';

import { ToolError } from '@org/mcp-decorators';
import type { Entry, ZipFile } from 'yauzl';

import { readParts, type ReadableFile } from '../journal/contents.ts';
import type { ArchiveEntry } from './archive-entry.ts';

const TYPE_BITS = 0o170000;
const LINK = 0o120000;
const REGULAR = 0o100000;
const DIRECTORY = 0o040000;
const EXECUTABLE = 0o111;
/** Upper byte of `versionMadeBy` if the attributes of an entry contain a Unix mode. */
const UNIX = 3;

/** Yields the entries of a ZIP archive. @throws ToolError INVALID_ARCHIVE */
export async function* readZip(file: ReadableFile, signal: AbortSignal): AsyncGenerator<ArchiveEntry> {
  const { fromRandomAccessReaderPromise, RandomAccessReader } = await import('yauzl');
  class FileReader extends RandomAccessReader {
    override _readStreamForRange(start: number, end: number): Readable {
      return Readable.from(readParts(file, signal, start, end), { objectMode: false });
    }
  }
  const options = { lazyEntries: true, autoClose: false, strictFileNames: true } as const;
  const zip = await convertErrors(fromRandomAccessReaderPromise(new FileReader(), file.size, options));
  try {
    for await (const entry of zip.eachEntry()) yield toArchiveEntry(zip, entry);
  } catch (error) {
    throw toArchiveError(error, signal);
  }
}

function toArchiveEntry(zip: ZipFile, entry: Entry): ArchiveEntry {
  const mode = entry.versionMadeBy >>> 8 === UNIX ? entry.externalFileAttributes >>> 16 : 0;
  return {
    name: entry.fileName,
    type: getType(entry, mode & TYPE_BITS),
    bytes: entry.uncompressedSize,
    isExecutable: (mode & EXECUTABLE) !== 0,
    read: () => readEntry(zip, entry),
  };
}

function getType({ fileName }: Entry, bits: number): ArchiveEntry['type'] {
  if (bits === LINK) return 'link';
  if (bits !== 0 && bits !== REGULAR && bits !== DIRECTORY) return 'other';
  return bits === DIRECTORY || fileName.endsWith('/') ? 'directory' : 'file';
}

async function* readEntry(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  if (entry.isEncrypted()) throw new ToolError('INVALID_ARCHIVE', 'the archive is encrypted');
  const stream = await convertErrors(zip.openReadStreamPromise(entry));
  const checked = stream.pipe(new ChecksumStream(entry.crc32));
  stream.on('error', (error) => checked.destroy(error));
  try {
    for await (const part of checked) if (part instanceof Uint8Array) yield part;
  } finally {
    stream.destroy();
  }
}

/** Passes bytes on, and fails at the end if their checksum is not the expected one. */
class ChecksumStream extends Transform {
  readonly #expected: number;
  #sum = 0;

  constructor(expected: number) {
    super();
    this.#expected = expected;
  }

  override _transform(part: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.#sum = crc32(part, this.#sum);
    done(undefined, part);
  }

  override _flush(done: TransformCallback): void {
    done(this.#sum === this.#expected ? undefined : new Error('a checksum is wrong'));
  }
}

async function convertErrors<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    throw toArchiveError(error);
  }
}

/**
 * Converts an error of the parser to INVALID_ARCHIVE, because it describes a mistake in the archive. Returns a `ToolError`, and
 * any error of an aborted call, unchanged.
 */
export function toArchiveError(error: unknown, signal?: AbortSignal): unknown {
  if (ToolError.is(error) || signal?.aborted === true) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new ToolError('INVALID_ARCHIVE', `the archive cannot be read: ${reason.slice(0, 200)}`, { cause: error });
}
