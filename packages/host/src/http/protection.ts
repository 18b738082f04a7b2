import type { IncomingMessage } from 'node:http';

import { OAuthError, type AuthInfo } from '@modelcontextprotocol/server';

import type { Authenticator, AuthRefusal } from '../auth/authenticator.ts';
import { authorizationOf } from '../auth/authorization.ts';
import { missingScopes, type Scoped } from '../auth/scopes.ts';
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

  /** Who sends a request. @throws Refusal 401, 403 or 503, and what is wrong with the authenticator itself */
  async admit(request: IncomingMessage): Promise<AuthInfo> {
    const authorization = authorizationOf(request);
    try {
      return await this.#authenticator.authenticate(authorization);
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      throw refusal(this.#authenticator.refusal(error, { resource: this.#resourceOf(request), authorization }));
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
}

function refusal({ status, message, headers }: AuthRefusal): Refusal {
  return new Refusal(status, message, { headers });
}
