/** Whether something is one scope of OAuth (`scope-token`, RFC 6749 §3.3): printable ASCII without spaces, `"` and `\`. */
export function isScope(value: unknown): value is string {
  return typeof value === 'string' && /^[!#-[\]-~]+$/.test(value);
}
