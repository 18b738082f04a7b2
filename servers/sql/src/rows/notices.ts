import { oneLine, prefix } from './shown-value.ts';

/** Maximum size of all notices of a result, in bytes. Notices also take at most a quarter of the result. */
const MAX_BYTES = 16_384;
/** Minimum room for each notice, in bytes. If an equal share is smaller, some notices are omitted. */
const MIN_BYTES = 64;
/** Room for the note about the cut, the quotes and the comma of a cut notice, in bytes. */
const AROUND = 40;
const STEP = 0.8;

/**
 * Cuts the notices of a statement to a quarter of a result, but at most 16 KiB. If notices are omitted, the last text reports
 * their number.
 */
export function limitNotices(notices: readonly string[], maxResultBytes: number): string[] {
  const allowed = Math.min(Math.floor(maxResultBytes / 4), MAX_BYTES);
  const fits = Math.floor(allowed / MIN_BYTES);
  const count = notices.length > fits ? fits - 1 : notices.length;
  const shown: string[] = [];
  let left = notices.length > count ? allowed - MIN_BYTES : allowed;
  for (const notice of notices.slice(0, count)) {
    const cut = cutNotice(notice, Math.floor(left / (count - shown.length)));
    left -= measureNotice(cut) + 1;
    shown.push(cut);
  }
  return count < notices.length ? [...shown, `Number of omitted notices: ${notices.length - count}`] : shown;
}

function cutNotice(notice: string, maxBytes: number): string {
  if (measureNotice(notice) < maxBytes) return notice;
  let kept = prefix(notice, maxBytes - AROUND);
  while (measureNotice(kept) > maxBytes - AROUND) kept = prefix(kept, Math.floor(Buffer.byteLength(kept) * STEP));
  return `${kept}… [cut from ${Buffer.byteLength(notice)} bytes]`;
}

/** Returns the size as JSON, which is at least the size as a line of text. */
function measureNotice(notice: string): number {
  return Buffer.byteLength(JSON.stringify(oneLine(notice)));
}
