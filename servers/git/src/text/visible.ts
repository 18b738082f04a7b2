import { spelled } from '@org/mcp-roots';

import { redacted } from './redacted.ts';

/** Control, bidirectional and zero-width characters: in a name they could forge lines or hide what it says. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

// In a body, tabs and line ends mean what they say; joiners stay, because emoji and several scripts need them.
const IN_BODY = /(?![\n\t]|\r\n)\p{Cc}|[\u200E\u200F\u202A-\u202E\u2066-\u2069\u2028\u2029\uFEFF]/gu;

/** A name, a subject or a path as one line of visible text. */
export function visibleName(name: string): string {
  return name.replaceAll(INVISIBLE, escaped);
}

/** How a message repeats what the caller gave, which may be a URL with a password. */
export function quoted(given: string): string {
  return visibleName(spelled(redacted(given)));
}

/** A diff, a message or a file as text without anything that a terminal obeys or that reorders what is read. */
export function visibleBody(body: string): string {
  return body.replaceAll(IN_BODY, escaped);
}

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`;
}
