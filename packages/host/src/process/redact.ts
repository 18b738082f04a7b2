const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/\b([a-z][a-z0-9+.-]{0,30}:\/\/)([^\s/@:]*):[^\s/]+@/gi, '$1$2:***@'],
  [/\b(bearer|basic)\s+[\w~+/.=-]{8,}/gi, '$1 ***'],
  [
    /((?:password|passwd|secret|token|(?:api|access|private)[ _-]?key)["']?\s*[=:]\s*)(?:(")(?:[^"\\]|\\.)*("?)|(')[^']*('?)|[^\s"',;&]+)/gi,
    '$1$2$4***$3$5',
  ],
];

/** Replaces passwords in URLs, credentials of an Authorization header and values named like secrets. */
export function redact(text: string): string {
  return SECRETS.reduce((redacted, [pattern, replacement]) => redacted.replaceAll(pattern, replacement), text);
}
