import { escapeCharacter, escapeInvisible } from '@org/mcp-decorators';
import { quotePath } from '@org/mcp-roots';

import { redactSecrets } from './redact.ts';

// Tabs, line endings and zero-width joiners are not escaped; emoji and several scripts need joiners.
const IN_BODY = /(?![\n\t]|\r\n)\p{Cc}|[\u200E\u200F\u202A-\u202E\u2066-\u2069\u2028\u2029\uFEFF]/gu;

/** Quotes a value from the caller for a message, with passwords in URLs redacted. */
export function quoteInput(given: string): string {
  return escapeInvisible(quotePath(redactSecrets(given)));
}

/** Escapes control characters of terminals, and characters that reorder text, in a diff, message or file. */
export function visibleBody(body: string): string {
  return body.replaceAll(IN_BODY, escapeCharacter);
}
