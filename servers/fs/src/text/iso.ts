/** The first and last moment that ECMAScript can write. */
const LIMIT_MS = 8.64e15;

/** A file's time as ISO 8601; a file system may hold times that no date can, and then the nearest one is told. */
export function isoTime(milliseconds: number): string {
  return new Date(Math.min(LIMIT_MS, Math.max(-LIMIT_MS, milliseconds))).toISOString();
}
