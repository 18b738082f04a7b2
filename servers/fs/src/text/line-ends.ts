import type { Encoding } from './encoding.ts';

/** How lines end in the bytes of an encoding. Positions are in bytes that begin at a whole character. */
export interface LineEnds {
  readonly newline: Buffer;
  /** The position behind the next newline, -1 if there is none; `isNear` if it is likely to be found at once. */
  after(bytes: Buffer, from: number, isNear?: boolean): number;
}

const NEWLINE = 0x0a;

/** Calling `indexOf` costs as much as looking at so many bytes: a file of newlines alone would keep other calls waiting. */
const NEAR = 16;

/** Zeros that no text has beside each other: of a hole, or of a format that is not text. */
const HOLE = Buffer.alloc(4);

export function lineEndsOf(encoding: Encoding): LineEnds {
  if (encoding === 'utf-16le') return LITTLE;
  return encoding === 'utf-16be' ? BIG : NARROW;
}

/** The position behind at most `wanted` lines, or the end of the bytes, and how many lines ended before it. */
export function endOfLines(bytes: Buffer, wanted: number, ends: LineEnds): { readonly position: number; readonly lines: number } {
  let lines = 0;
  let position = 0;
  let isShort = true;
  while (lines < wanted) {
    const end = ends.after(bytes, position, isShort);
    if (end === -1) return { position: bytes.length, lines };
    isShort = end - position <= NEAR;
    position = end;
    lines += 1;
  }
  return { position, lines };
}

/** Lines in bytes, a last one without newline included. */
export function countLines(bytes: Buffer, ends: LineEnds): number {
  const { lines } = endOfLines(bytes, Number.POSITIVE_INFINITY, ends);
  return lines + (bytes.length > 0 && !endsLine(bytes, ends) ? 1 : 0);
}

export function endsLine(bytes: Buffer, { newline }: LineEnds): boolean {
  return bytes.subarray(-newline.length).equals(newline);
}

/** Whether a chunk without newline cannot be text, so that looking for lines in what follows may never end: a hole can be terabytes. */
export function isHole(chunk: Buffer): boolean {
  return chunk.includes(HOLE);
}

const NARROW: LineEnds = {
  newline: Buffer.from([NEWLINE]),
  after(bytes, from, isNear = true) {
    const far = isNear ? Math.min(from + NEAR, bytes.length) : from;
    for (let position = from; position < far; position += 1) if (bytes[position] === NEWLINE) return position + 1;
    const found = bytes.indexOf(NEWLINE, far);
    return found === -1 ? -1 : found + 1;
  },
};

const LITTLE: LineEnds = {
  newline: Buffer.from([NEWLINE, 0]),
  after: (bytes, from) => evenAfter(bytes, from, (at) => at % 2 === 0 && bytes[at + 1] === 0),
};

const BIG: LineEnds = {
  newline: Buffer.from([0, NEWLINE]),
  after: (bytes, from) => evenAfter(bytes, from, (at) => at % 2 === 1 && bytes[at - 1] === 0),
};

/** The end of the unit of two bytes that is the next newline. */
function evenAfter(bytes: Buffer, from: number, isNewline: (at: number) => boolean): number {
  let at = bytes.indexOf(NEWLINE, from);
  while (at !== -1 && !isNewline(at)) at = bytes.indexOf(NEWLINE, at + 1);
  return at === -1 ? -1 : at - (at % 2) + 2;
}

/** The position behind the last newline, -1 if there is none. */
export function lastLineEnd(bytes: Buffer, { newline }: LineEnds): number {
  let at = bytes.lastIndexOf(newline);
  // Of two bytes it may lie across two characters.
  while (at > 0 && at % newline.length !== 0) at = bytes.lastIndexOf(newline, at - 1);
  return at === -1 || at % newline.length !== 0 ? -1 : at + newline.length;
}
