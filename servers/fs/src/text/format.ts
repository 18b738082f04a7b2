/**
 * Matches control characters, format characters, and line and paragraph separators. With these characters, a name could forge
 * lines or hide its text.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Formats a file name as one line of visible text. */
export function visibleName(name: string): string {
  // Fast path for nearly all names.
  if (!/[^ -~]/.test(name)) return name;
  return name.replaceAll(INVISIBLE, (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`);
}

/** The greatest time that ECMAScript supports, in milliseconds since the epoch; the least supported time is its negative. */
const LIMIT_MS = 8.64e15;

/** Formats a time as ISO 8601. A time of a file system that ECMAScript does not support becomes the nearest supported time. */
export function formatTime(milliseconds: number): string {
  return new Date(Math.min(LIMIT_MS, Math.max(-LIMIT_MS, milliseconds))).toISOString();
}

const UNITS = ['KB', 'MB', 'GB', 'TB'] as const;

/** Formats a number of bytes: `512 B`, `1.50 KB`. One KB is 1024 bytes. */
export function formatSize(bytes: number): string {
  let shown = `${bytes} B`;
  let value = bytes;
  for (const unit of UNITS) {
    value /= 1024;
    if (value < 1) break;
    shown = `${value.toFixed(2)} ${unit}`;
  }
  return shown;
}
