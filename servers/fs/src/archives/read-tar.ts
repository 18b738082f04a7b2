import { Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import { createGunzip } from 'node:zlib';

import { ToolError } from '@org/mcp-decorators';

import { readParts, type ReadableFile } from '../journal/contents.ts';
import type { ArchiveEntry } from './archive-entry.ts';
import { toArchiveError } from './read-zip.ts';

export interface TarOptions {
  readonly isCompressed: boolean;
  /** Maximum number of bytes of the decompressed archive, with the headers. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

const EXECUTABLE = 0o111;
const TYPES: Readonly<Record<string, ArchiveEntry['type']>> = {
  file: 'file',
  directory: 'directory',
  link: 'link',
  symlink: 'link',
};

/**
 * Yields the entries of a tar archive, which may be compressed with gzip.
 *
 * @throws ToolError INVALID_ARCHIVE for an invalid archive; TOO_LARGE for more than `maxBytes`
 */
export async function* readTar(file: ReadableFile, options: TarOptions): AsyncGenerator<ArchiveEntry> {
  const { createTarDecoder } = await import('modern-tar');
  const decoder = createTarDecoder({ strict: true });
  const source = ReadableStream.from(limitBytes(readTarBytes(file, options), options.maxBytes));
  const entries = source.pipeThrough(decoder);
  try {
    for await (const { header, body } of entries) {
      yield {
        name: header.name,
        type: TYPES[header.type ?? 'file'] ?? 'other',
        bytes: header.size,
        isExecutable: ((header.mode ?? 0) & EXECUTABLE) !== 0,
        read: () => body,
      };
      if (!body.locked) await body.cancel();
    }
  } catch (error) {
    throw toArchiveError(error, options.signal);
  }
}

async function* readTarBytes(file: ReadableFile, { isCompressed, signal }: TarOptions): AsyncGenerator<Uint8Array> {
  const parts = readParts(file, signal);
  if (!isCompressed) return yield* parts;
  const source = Readable.from(parts, { objectMode: false });
  const unzipped = source.pipe(createGunzip());
  source.on('error', (error) => unzipped.destroy(error));
  try {
    for await (const part of unzipped) if (part instanceof Uint8Array) yield part;
  } finally {
    source.destroy();
    unzipped.destroy();
  }
}

async function* limitBytes(parts: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const part of parts) {
    bytes += part.length;
    if (bytes > maxBytes) throw new ToolError('TOO_LARGE', `the decompressed archive has more than ${maxBytes} bytes`);
    yield part;
  }
}
