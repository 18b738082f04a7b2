import path from 'node:path';

import { detectEncoding, markedEncoding } from './encoding.ts';

/** Enough for all magic numbers, and to tell text from other bytes. */
export const KIND_SAMPLE = 4100;

/** Types of text, which has no magic number, by the extension of a file's name. */
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

/** Types of text among those that have a magic number. */
const TEXT = /^text\/|[/+](?:xml|json|rtf)$/;

/** What a file holds. */
export interface Kind {
  readonly mime: string;
  /** It is not text. */
  readonly binary: boolean;
}

/**
 * The kind of a file by its first bytes, at least {@link KIND_SAMPLE} of them if there are as many. Its name is believed only of
 * text, which has no magic number.
 */
export async function kindOf(sample: Uint8Array, isWhole: boolean, name: string): Promise<Kind> {
  const encoding = detectEncoding(sample, isWhole);
  const isMarked = encoding !== undefined && encoding !== 'utf-8' && markedEncoding(sample) === encoding;
  // The byte order mark of UTF-16 is taken for the beginning of MPEG audio.
  const magic = isMarked ? undefined : await magicOf(sample);
  if (magic !== undefined && !TEXT.test(magic)) return { mime: magic, binary: true };
  if (encoding === undefined) return { mime: magic ?? 'application/octet-stream', binary: true };
  return { mime: TEXTS[path.extname(name).toLowerCase()] ?? magic ?? 'text/plain', binary: false };
}

async function magicOf(sample: Uint8Array): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await import('file-type/core');
  return (await fileTypeFromBuffer(sample))?.mime;
}
