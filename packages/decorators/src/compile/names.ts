/** What clients accept as a tool's name. */
const TOOL_NAME = /^[A-Za-z0-9_./-]{1,64}$/;

/** `readTextFile` → `read_text_file`, `parseURL` → `parse_url`. */
export function snakeCase(member: string): string {
  return member
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}

/** Whether something can name a set of tools; `all` is the set of all of them. */
export function isSetName(name: unknown): boolean {
  return typeof name === 'string' && /^[a-z][a-z0-9_-]{0,63}$/.test(name) && name !== 'all';
}

export function isToolName(name: string): boolean {
  return TOOL_NAME.test(name);
}
