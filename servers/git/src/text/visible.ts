import { spelledOut, visibleName } from '@org/mcp-decorators';
import { spelled } from '@org/mcp-roots';

import { redacted } from './redacted.ts';

// In a body, tabs and line ends mean what they say; joiners stay, because emoji and several scripts need them.
const IN_BODY = /(?![\n\t]|\r\n)\p{Cc}|[\u200E\u200F\u202A-\u202E\u2066-\u2069\u2028\u2029\uFEFF]/gu;

/** How a message repeats what the caller gave, which may be a URL with a password. */
export function quoted(given: string): string {
  return visibleName(spelled(redacted(given)));
}

/** A diff, a message or a file as text without anything that a terminal obeys or that reorders what is read. */
export function visibleBody(body: string): string {
  return body.replaceAll(IN_BODY, spelledOut);
}
