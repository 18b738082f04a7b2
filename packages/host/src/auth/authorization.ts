import type { IncomingMessage } from 'node:http';

import { OAuthError, OAuthErrorCode } from '@modelcontextprotocol/server';

/** Longer tokens are refused unseen: 16 KiB, which is what Node allows for all headers together unless told otherwise. */
const MAX_TOKEN = 16_384;

/** The scheme in any case, and the token68 of RFC 9110 §11.2. */
const BEARER = /^bearer +([\w.~+/-]+=*)$/i;

/**
 * The credentials of a request, all of them: of several headers Node itself would show the first alone, and a proxy in front may
 * have looked at another. A token in the URL is never looked at.
 */
export function authorizationOf(request: IncomingMessage): string | undefined {
  return request.headersDistinct['authorization']?.join(', ');
}

/**
 * The same credentials as the SDK reads them; it would take the first of several words for the token and ignore the rest.
 *
 * @throws OAuthError `invalid_token` for what is no single bearer token, and for one longer than 16 KiB
 */
export function normalized(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  if (authorization.length > MAX_TOKEN) throw new OAuthError(OAuthErrorCode.InvalidToken, 'Token is too long');
  const [, token] = BEARER.exec(authorization) ?? [];
  if (token === undefined)
    throw new OAuthError(OAuthErrorCode.InvalidToken, "Invalid Authorization header, expected 'Bearer TOKEN'");
  return `Bearer ${token}`;
}
