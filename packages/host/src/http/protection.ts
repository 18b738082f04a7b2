import type { IncomingMessage } from 'node:http';

import { OAuthError, type AuthInfo } from '@modelcontextprotocol/server';

import type { Authenticator, AuthRefusal } from '../auth/authenticator.ts';
import { authorizationOf } from '../auth/authorization.ts';
import { missingScopes, type Scoped } from '../auth/scopes.ts';
import { Refusal } from './refusal.ts';

export interface ProtectionOptions {
  readonly authenticator: Authenticator;
  readonly served: Scoped;
  /** Under which clients know the endpoint. */
  readonly resource: (request: IncomingMessage) => URL;
}

/** Who may ask for what at one endpoint, by their tokens. */
export class Protection {
  readonly #options: ProtectionOptions;

  constructor(options: ProtectionOptions) {
    this.#options = options;
  }

  /** Who sends a request. @throws Refusal 401, 403 or 503, and what is wrong with the authenticator itself */
  async admit(request: IncomingMessage): Promise<AuthInfo> {
    const { authenticator, resource } = this.#options;
    const authorization = authorizationOf(request);
    try {
      return await authenticator.authenticate(authorization);
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      throw refusal(authenticator.refusal(error, { resource: resource(request), authorization }));
    }
  }

  /** @throws Refusal 403 if one of the messages needs a scope that the token has not */
  assertScopes(request: IncomingMessage, body: unknown, auth: AuthInfo): void {
    const { authenticator, served, resource } = this.#options;
    const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
    for (const message of messages) {
      const scopes = missingScopes(served, message, auth);
      if (scopes !== undefined) throw refusal(authenticator.insufficientScope(scopes, resource(request)));
    }
  }
}

function refusal({ status, message, headers }: AuthRefusal): Refusal {
  return new Refusal(status, message, { headers });
}
