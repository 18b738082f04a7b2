import type { IncomingMessage } from 'node:http';

import { OAuthError, OAuthErrorCode } from '@modelcontextprotocol/server';

/** Maximum length of an `Authorization` header in characters: 16 KiB, Node's default limit for all headers together. */
const MAX_TOKEN = 16_384;

/** Matches the scheme in any letter case and a token68 (RFC 9110 §11.2). */
const BEARER = /^bearer +([\w.~+/-]+=*)$/i;

/**
 * Returns the credentials of a request. If it has several `Authorization` headers, returns all of them: Node exposes only the first, but a
 * proxy may have checked another one. A token in the URL is ignored.
 */
export function readAuthorization(request: IncomingMessage): string | undefined {
  return request.headersDistinct['authorization']?.join(', ');
}

/**
 * Normalizes credentials for the SDK, which would accept the first of several words as the token and ignore the rest.
 *
 * @throws OAuthError `invalid_token` if the value is not a single bearer token, or is longer than 16 KiB
 */
export function normalizeAuthorization(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  if (authorization.length > MAX_TOKEN) throw new OAuthError(OAuthErrorCode.InvalidToken, 'Token is too long');
  const [, token] = BEARER.exec(authorization) ?? [];
  if (token === undefined)
    throw new OAuthError(OAuthErrorCode.InvalidToken, "Invalid Authorization header, expected 'Bearer TOKEN'");
  return `Bearer ${token}`;
}
