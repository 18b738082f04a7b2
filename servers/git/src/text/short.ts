const SHORT = 12;

/** An object name as people read it. */
export function short(oid: string): string {
  return oid.slice(0, SHORT);
}
