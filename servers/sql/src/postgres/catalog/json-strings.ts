/** Returns the strings in a JSON array from PostgreSQL. Returns an empty list for any other JSON, and without a text. */
export function parseJsonStrings(text: string | null | undefined): string[] {
  const value: unknown = JSON.parse(text ?? '[]');
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}
