import { inputRequired, type InputRequest } from '@modelcontextprotocol/server';

import { ToolError } from '../../errors.ts';
import type { ElicitOptions } from './elicitation.ts';
import { PERSON_MS, type Question } from './question.ts';

/** Answer to a request to open a page. `accept` means that the user agreed, not that the user is done on the page. */
export type UrlElicited =
  | {
      readonly action: 'accept';
      /** The identifier that the function form of the URL got. */
      readonly elicitationId: string;
      /**
       * Notifies the client that the user is done on the page; on 2026-07-28, which has no such notification, does nothing. Call it
       * before the method returns.
       */
      complete(): Promise<void>;
    }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' };

/** A URL, or a function that builds the URL from the identifier of the question; the identifier is the same whenever the method runs again. */
export type ElicitedUrl = string | URL | ((elicitationId: string) => string | URL);

/** What a method passes to `elicitUrl`. */
export interface PageQuestion extends ElicitOptions {
  readonly key: string;
  readonly message: string;
  readonly url: ElicitedUrl;
}

interface Asked extends PageQuestion {
  /** Unique in this server. */
  readonly elicitationId: string;
  /** Whether the request contains the identifier; only sessions have a field for it. */
  readonly sendsId: boolean;
}

/** Asks the user to open a page. */
export function urlElicitation({ key, message, url, identity, elicitationId, sendsId }: Asked): Question<UrlElicited['action']> {
  const page = checked(typeof url === 'function' ? url(elicitationId) : url);
  const request: InputRequest = inputRequired.elicitUrl({
    message,
    url: page,
    ...(sendsId && { elicitationId }),
  });
  return {
    key,
    identity,
    capability: 'elicitation',
    mode: 'url',
    patienceMs: PERSON_MS,
    request: () => request,
    read: (response) => (response.kind === 'elicit' ? { kind: 'answer', answer: response.action } : { kind: 'unusable' }),
    unanswered: (cause) => new ToolError('NO_ANSWER', 'the user did not answer', { cause }),
  };
}

/** Clients show the URL, and open it in a browser. */
function checked(url: string | URL): string {
  const parsed = URL.canParse(String(url)) ? new URL(url) : undefined;
  if (parsed === undefined || !['https:', 'http:'].includes(parsed.protocol))
    throw new TypeError('the URL of a page to open must be an absolute URL with https: or http:');
  if (parsed.username !== '' || parsed.password !== '') throw new TypeError('the URL of a page to open must have no credentials');
  return parsed.href;
}
