const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/\b([a-z][a-z0-9+.-]*:\/\/)([^\s/@:]*):[^\s/@]+@/gi, '$1$2:***@'],
  [/\b(bearer|basic)\s+[\w~+/.=-]{8,}/gi, '$1 ***'],
  [/\b(password|passwd|secret|token|api[_-]?key)(["']?\s*[=:]\s*["']?)[^\s"',;&]+/gi, '$1$2***'],
];

/** Replaces passwords in URLs, credentials of an Authorization header and values named like secrets. */
export function redact(text: string): string {
  return SECRETS.reduce((redacted, [pattern, replacement]) => redacted.replaceAll(pattern, replacement), text);
}
