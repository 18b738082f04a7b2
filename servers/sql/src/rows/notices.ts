import { oneLine, prefix } from './shown-value.ts';

/** Notices take at most a quarter of a result, and at most this number of bytes. */
const MAX_BYTES = 16_384;
/** A notice with less room is left out. */
const MIN_BYTES = 64;
/** More than the note of a notice that is cut, its quotes and its comma. */
const AROUND = 40;
const STEP = 0.8;

/** Returns the notices of a statement, cut to a quarter of a result; the last one says how many are left out. */
export function shownNotices(notices: readonly string[], maxResultBytes: number): string[] {
  const allowed = Math.min(Math.floor(maxResultBytes / 4), MAX_BYTES);
  const fits = Math.floor(allowed / MIN_BYTES);
  const count = notices.length > fits ? fits - 1 : notices.length;
  const shown: string[] = [];
  let left = notices.length > count ? allowed - MIN_BYTES : allowed;
  for (const notice of notices.slice(0, count)) {
    const cut = cutNotice(notice, Math.floor(left / (count - shown.length)));
    left -= bytesOf(cut) + 1;
    shown.push(cut);
  }
  return count < notices.length ? [...shown, `${notices.length - count} more notices are left out`] : shown;
}

function cutNotice(notice: string, maxBytes: number): string {
  if (bytesOf(notice) < maxBytes) return notice;
  let kept = prefix(notice, maxBytes - AROUND);
  while (bytesOf(kept) > maxBytes - AROUND) kept = prefix(kept, Math.floor(Buffer.byteLength(kept) * STEP));
  return `${kept}… [cut: ${Buffer.byteLength(notice)} bytes]`;
}

/** As a line of text and as JSON, of which this is the larger one. */
function bytesOf(notice: string): number {
  return Buffer.byteLength(JSON.stringify(oneLine(notice)));
}
