/** Names that clients accept for tools. */
const TOOL_NAME = /^[A-Za-z0-9_./-]{1,64}$/;

/** Converts `readTextFile` to `read_text_file` and `parseURL` to `parse_url`. */
export function snakeCase(member: string): string {
  return member
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}

/** Whether a value can name a tool set. The name `all` is reserved for the set of all tools. */
export function isSetName(name: unknown): boolean {
  return typeof name === 'string' && /^[a-z][a-z0-9_-]{0,63}$/.test(name) && name !== 'all';
}

export function isToolName(name: string): boolean {
  return TOOL_NAME.test(name);
}

/** Whether a value is one OAuth scope (`scope-token`, RFC 6749 §3.3): printable ASCII without spaces, `"` and `\`. */
export function isScope(value: unknown): value is string {
  return typeof value === 'string' && /^[!#-[\]-~]+$/.test(value);
}
