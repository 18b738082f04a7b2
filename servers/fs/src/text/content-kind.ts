import path from 'node:path';

import { detectEncoding } from './read-text.ts';
import { detectBom } from './encoding.ts';

/** Number of bytes that usually suffice to find a magic number and to distinguish text from binary content. */
export const KIND_SAMPLE = 4100;

/** MIME types of text files, which have no magic number, by the extension of the name. */
const TEXTS: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.csv': 'text/csv',
  '.htm': 'text/html',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.md': 'text/markdown',
  '.mjs': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.xml': 'application/xml',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
};

/** Matches the MIME types of text among the types that have a magic number. */
const TEXT = /^text\/|[/+](?:xml|json|rtf)$/;

/** The type of the content of a file. */
export interface Kind {
  readonly mime: string;
  /** Whether the content is not text. */
  readonly binary: boolean;
}

/**
 * Detects the type of a file from its first {@link KIND_SAMPLE} bytes. The name of the file counts only for text.
 */
export async function detectKind(sample: Uint8Array, isWhole: boolean, name: string): Promise<Kind> {
  const encoding = detectEncoding(sample, isWhole);
  const isMarked = encoding !== undefined && encoding !== 'utf-8' && detectBom(sample) === encoding;
  // A text with a byte order mark has no magic number, and the mark of UTF-16 looks like the beginning of MPEG audio.
  const magic = isMarked ? undefined : await detectMagic(sample);
  if (magic !== undefined && !TEXT.test(magic)) return { mime: magic, binary: true };
  if (encoding === undefined) return { mime: magic ?? 'application/octet-stream', binary: true };
  return { mime: TEXTS[path.extname(name).toLowerCase()] ?? magic ?? 'text/plain', binary: false };
}

async function detectMagic(sample: Uint8Array): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await import('file-type/core');
  return (await fileTypeFromBuffer(sample))?.mime;
}
