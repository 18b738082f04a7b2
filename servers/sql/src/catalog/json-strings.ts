/** The strings of a JSON array that PostgreSQL made; none of anything else. */
export function jsonStrings(text: string | null | undefined): string[] {
  const value: unknown = JSON.parse(text ?? '[]');
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}
