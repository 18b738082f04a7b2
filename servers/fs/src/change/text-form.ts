import { isAscii } from 'node:buffer';

import type { OpenFile } from '@org/mcp-roots';

import type { Target } from '../storage/target.ts';
import { detectEncoding } from '../text/read-text.ts';
import { decode, detectEol, findFirstCharacterStart, findLastCharacterEnd, type Encoding, type Eol } from '../text/encoding.ts';
import { openTarget } from './with-targets.ts';

/** The encoding and line endings of a text file. */
export interface TextForm {
  readonly encoding: Encoding;
  readonly hasBom: boolean;
  readonly eol: Eol;
}

/** Maximum number of bytes that are read at the beginning, and at the end, of a file to detect its form. */
const SAMPLE = 262_144;
const PLAIN: TextForm = { encoding: 'utf-8', hasBom: false, eol: 'none' };

/**
 * Detects the form of a text file from its beginning; if a large file begins with ASCII only, its end decides the encoding.
 * Returns the form of a new file if the file is missing, binary or cannot be decoded.
 */
export async function readTextForm(target: Target): Promise<TextForm> {
  await using file = await openTarget(target);
  if (file === undefined) return PLAIN;
  const isWhole = file.size <= SAMPLE;
  const bytes = await file.readAt(0, Math.min(file.size, SAMPLE));
  const encoding = (isWhole || !isAscii(bytes) ? undefined : await detectEncodingAtEnd(file)) ?? detectEncoding(bytes, isWhole);
  if (encoding === undefined) return PLAIN;
  try {
    const { text, hasBom } = await decode(isWhole ? bytes : bytes.subarray(0, findLastCharacterEnd(bytes, encoding)), encoding);
    // The sample may end between the CR and the LF of a line ending.
    return { encoding, hasBom, eol: detectEol(isWhole ? text : text.replace(/\r$/, '')) };
  } catch {
    return PLAIN;
  }
}

/** Detects the encoding from the end of a file, because its beginning is ASCII, which is valid in nearly every encoding. */
async function detectEncodingAtEnd(file: OpenFile): Promise<Encoding | undefined> {
  const bytes = await file.readAt(file.size - SAMPLE, SAMPLE);
  return detectEncoding(bytes.subarray(findFirstCharacterStart(bytes, 'utf-8')));
}
