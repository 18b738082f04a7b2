import type { IncomingMessage } from 'node:http';

import { OAuthError, OAuthErrorCode, type AuthInfo } from '@modelcontextprotocol/server';

import type { Authenticator, AuthRefusal } from '../auth/authenticator.ts';
import { authorizationOf } from '../auth/authorization.ts';
import { missingScopes, type Scoped } from '../auth/scopes.ts';
import { Admission, TOKEN_OVER } from './admission.ts';
import { Refusal } from './refusal.ts';
import type { ResourceOf } from './resource-of.ts';

/** What a token is to allow. */
interface Asked {
  readonly served: Scoped;
  /** A message, or several. */
  readonly body: unknown;
  readonly auth: AuthInfo;
}

/** Who may ask for what at one path, by their tokens. */
export class Protection {
  readonly #authenticator: Authenticator;
  readonly #resourceOf: ResourceOf;

  constructor(authenticator: Authenticator, resourceOf: ResourceOf) {
    this.#authenticator = authenticator;
    this.#resourceOf = resourceOf;
  }

  /**
   * Authenticates a request. Dispose of the result when the request ends.
   *
   * @throws Refusal 401, 403 or 503; Error if the authenticator itself fails
   */
  async admit(request: IncomingMessage): Promise<Admission> {
    const authorization = authorizationOf(request);
    try {
      const auth = await this.#authenticator.authenticate(authorization);
      return new Admission({
        auth,
        follow: (ended) => this.#authenticator.follow(auth, ended),
        refusal: () => this.#refused(new OAuthError(OAuthErrorCode.InvalidToken, TOKEN_OVER), request),
      });
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      throw this.#refused(error, request);
    }
  }

  /** @throws Refusal 403 if one of the messages needs a scope that the token has not */
  assertScopes(request: IncomingMessage, { served, body, auth }: Asked): void {
    const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
    for (const message of messages) {
      const scopes = missingScopes(served, message, auth);
      if (scopes !== undefined) throw refusal(this.#authenticator.insufficientScope(scopes, this.#resourceOf(request)));
    }
  }

  #refused(error: OAuthError, request: IncomingMessage): Refusal {
    const authorization = authorizationOf(request);
    return refusal(this.#authenticator.refusal(error, { resource: this.#resourceOf(request), authorization }));
  }
}

function refusal({ status, message, headers }: AuthRefusal): Refusal {
  return new Refusal(status, message, { headers });
}
