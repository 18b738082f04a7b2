import { isAscii } from 'node:buffer';

import type { OpenFile } from '@org/mcp-roots';

import { decode, detectEncoding, endOfCharacters, eolOf, startOfCharacters, type Encoding, type Eol } from '../text/encoding.ts';
import { openTarget } from './change-file.ts';
import type { Target } from './write-atomically.ts';

/** How a text stands in a file. */
export interface Form {
  readonly encoding: Encoding;
  readonly hasBom: boolean;
  readonly eol: Eol;
}

/** As much of a file tells its form. */
const SAMPLE = 262_144;
const PLAIN: Form = { encoding: 'utf-8', hasBom: false, eol: 'none' };

/** The form of the text that is there, as its beginning tells it; that of a new file where nothing or no text is. */
export async function readForm(target: Target): Promise<Form> {
  await using file = await openTarget(target);
  if (file === undefined) return PLAIN;
  const isWhole = file.size <= SAMPLE;
  const bytes = await file.readAt(0, Math.min(file.size, SAMPLE));
  const encoding = (isWhole || !isAscii(bytes) ? undefined : await encodingOfEnd(file)) ?? detectEncoding(bytes, isWhole);
  if (encoding === undefined) return PLAIN;
  try {
    const { text, hasBom } = await decode(isWhole ? bytes : bytes.subarray(0, endOfCharacters(bytes, encoding)), encoding);
    // A cut may be within a line end.
    return { encoding, hasBom, eol: eolOf(isWhole ? text : text.replace(/\r$/, '')) };
  } catch {
    return PLAIN;
  }
}

/** What a beginning in ASCII leaves open: nearly all encodings begin so. */
async function encodingOfEnd(file: OpenFile): Promise<Encoding | undefined> {
  const bytes = await file.readAt(file.size - SAMPLE, SAMPLE);
  return detectEncoding(bytes.subarray(startOfCharacters(bytes, 'utf-8')));
}
