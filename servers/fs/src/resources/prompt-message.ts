import type { BigIntStats } from 'node:fs';
import { pathToFileURL } from 'node:url';

import { isoTime } from '../text/iso.ts';

/** A message of a prompt: what is asked, or what it is asked about. */
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

export function asked(text: string): PromptMessage {
  return { role: 'user', content: { type: 'text', text } };
}

/** @param shown the path that clients see */
export function embedded(
  { shown, facts }: { readonly shown: string; readonly facts?: BigIntStats },
  mimeType: string,
  text: string,
): PromptMessage {
  const annotations = facts && { lastModified: isoTime(Number(facts.mtimeMs)) };
  const resource = { uri: pathToFileURL(shown).href, mimeType, text };
  return { role: 'user', content: { type: 'resource', resource, ...(annotations && { annotations }) } };
}

/** What is said of what to look at; nothing where that is not said. */
export function inParticular(focus: string | undefined): string {
  return focus === undefined ? '' : ` Look at ${focus} in particular.`;
}
