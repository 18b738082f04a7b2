import { pathToFileURL } from 'node:url';

/** A message of a prompt: the request, or an embedded resource. */
export interface PromptMessage {
  readonly role: 'user';
  readonly content:
    | { readonly type: 'text'; readonly text: string }
    | {
        readonly type: 'resource';
        readonly resource: { readonly uri: string; readonly mimeType: string; readonly text: string };
      };
}

export function requestMessage(text: string): PromptMessage {
  return { role: 'user', content: { type: 'text', text } };
}

/** @param shown the path that clients see */
export function resourceMessage(shown: string, mimeType: string, text: string): PromptMessage {
  return { role: 'user', content: { type: 'resource', resource: { uri: pathToFileURL(shown).href, mimeType, text } } };
}

/** Returns the sentence about the focus, or an empty text without a focus. */
export function focusSentence(focus: string | undefined): string {
  return focus === undefined ? '' : ` Look at ${focus} in particular.`;
}
