/** Returns the strings of a JSON array from PostgreSQL; empty for other JSON. */
export function parseJsonStrings(text: string | null | undefined): string[] {
  const value: unknown = JSON.parse(text ?? '[]');
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}
