import type { BigIntStats } from 'node:fs';
import { pathToFileURL } from 'node:url';

import { formatTime } from '../text/format.ts';

/** A message of a prompt: the request, or an embedded resource. */
export interface PromptMessage {
  readonly role: 'user';
  readonly content:
    | { readonly type: 'text'; readonly text: string }
    | {
        readonly type: 'resource';
        readonly resource: { readonly uri: string; readonly mimeType: string; readonly text: string };
        readonly annotations?: { readonly lastModified: string };
      };
}

export function requestMessage(text: string): PromptMessage {
  return { role: 'user', content: { type: 'text', text } };
}

/** @param shown the path that clients see */
export function resourceMessage(
  { shown, facts }: { readonly shown: string; readonly facts?: BigIntStats },
  mimeType: string,
  text: string,
): PromptMessage {
  const annotations = facts && { lastModified: formatTime(Number(facts.mtimeMs)) };
  const resource = { uri: pathToFileURL(shown).href, mimeType, text };
  return { role: 'user', content: { type: 'resource', resource, ...(annotations && { annotations }) } };
}

/** Returns the sentence about the focus, or an empty text without a focus. */
export function focusSentence(focus: string | undefined): string {
  return focus === undefined ? '' : ` Look at ${focus} in particular.`;
}
