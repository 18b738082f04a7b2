import type { IncomingMessage } from 'node:http';

import { OAuthError, OAuthErrorCode, type AuthInfo } from '@modelcontextprotocol/server';
import { findMissingScopes, type ScopedServer } from '@org/mcp-decorators';

import type { Authenticator, AuthErrorResponse } from './authenticator.ts';
import { readAuthorization } from './authorization.ts';
import { Admission, TOKEN_ENDED } from './admission.ts';
import { HttpError } from '../http-messages/http-error.ts';
import type { GetResourceUrl } from '../http-messages/resource-url.ts';

/** A request whose scopes are checked. */
interface AuthenticatedRequest {
  readonly served: ScopedServer;
  /** A message or a batch. */
  readonly body: unknown;
  readonly auth: AuthInfo;
}

/** Checks the tokens and scopes of the requests to one path. */
export class Protection {
  readonly #authenticator: Authenticator;
  readonly #getResourceUrl: GetResourceUrl;

  constructor(authenticator: Authenticator, getResourceUrl: GetResourceUrl) {
    this.#authenticator = authenticator;
    this.#getResourceUrl = getResourceUrl;
  }

  /**
   * Authenticates a request. Dispose of the result when the request ends.
   *
   * @throws HttpError 401 if the token is missing or invalid, 403 if it lacks a required scope, 503 if tokens cannot be
   * verified at the moment; Error if the authenticator itself fails
   */
  async admit(request: IncomingMessage): Promise<Admission> {
    const authorization = readAuthorization(request);
    try {
      const auth = await this.#authenticator.authenticate(authorization);
      return new Admission({
        auth,
        follow: (ended) => this.#authenticator.follow(auth, ended),
        refusal: () => this.#refused(new OAuthError(OAuthErrorCode.InvalidToken, TOKEN_ENDED), request),
      });
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      throw this.#refused(error, request);
    }
  }

  /** @throws HttpError 403 if a message needs a scope that the token lacks */
  assertScopes(request: IncomingMessage, { served, body, auth }: AuthenticatedRequest): void {
    const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
    for (const message of messages) {
      const scopes = findMissingScopes(served, message, auth);
      if (scopes !== undefined) throw toHttpError(this.#authenticator.insufficientScope(scopes, this.#getResourceUrl(request)));
    }
  }

  #refused(error: OAuthError, request: IncomingMessage): HttpError {
    const authorization = readAuthorization(request);
    return toHttpError(this.#authenticator.refusal(error, { resource: this.#getResourceUrl(request), authorization }));
  }
}

function toHttpError({ status, message, headers }: AuthErrorResponse): HttpError {
  return new HttpError(status, message, { headers });
}
