import { inputRequired, type InputRequest } from '@modelcontextprotocol/server';

import { ToolError } from '../../results/tool-error.ts';
import type { ElicitOptions } from './elicitation.ts';
import { USER_TIMEOUT_MS, type Question } from './question.ts';

/** Answer to a request to open a page. `accept` means that the user agreed, not that the user is done on the page. */
export type UrlElicitOutcome =
  | {
      readonly action: 'accept';
      /** Identifier that the function form of the URL received. */
      readonly elicitationId: string;
      /**
       * Notifies the client that the user is done on the page. Does nothing on 2026-07-28, which has no such notification. Call
       * it before the method returns.
       */
      complete(): Promise<void>;
    }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' };

/**
 * A URL, or a function that builds the URL from the identifier of the question. The identifier is the same in all runs of the
 * method.
 */
export type ElicitedUrl = string | URL | ((elicitationId: string) => string | URL);

/** Arguments of `elicitUrl`. */
export interface PageQuestion extends ElicitOptions {
  readonly key: string;
  readonly message: string;
  readonly url: ElicitedUrl;
}

interface UrlQuestion extends PageQuestion {
  /** Unique among all questions of this server. */
  readonly elicitationId: string;
  /** Whether the request contains `elicitationId`. Only requests in sessions have this field; protocol version 2026-07-28 has no identifiers. */
  readonly sendsId: boolean;
}

/** Creates the question to open a page. */
export function createUrlQuestion({
  key,
  message,
  url,
  identity,
  elicitationId,
  sendsId,
}: UrlQuestion): Question<UrlElicitOutcome['action']> {
  const page = checkUrl(typeof url === 'function' ? url(elicitationId) : url);
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
    timeoutMs: USER_TIMEOUT_MS,
    request: () => request,
    read: (response) => (response.kind === 'elicit' ? { kind: 'answer', answer: response.action } : { kind: 'unusable' }),
    unanswered: (cause) => new ToolError('NO_ANSWER', 'the user did not answer', { cause }),
  };
}

/**
 * Returns a URL as text. Clients show the URL and open it in a browser.
 *
 * @throws TypeError unless the URL is an absolute http or https URL without credentials
 */
function checkUrl(url: string | URL): string {
  const parsed = URL.canParse(String(url)) ? new URL(url) : undefined;
  if (parsed === undefined || !['https:', 'http:'].includes(parsed.protocol))
    throw new TypeError('the URL of a page to open must be an absolute URL with https: or http:');
  if (parsed.username !== '' || parsed.password !== '') throw new TypeError('the URL of a page to open must have no credentials');
  return parsed.href;
}
