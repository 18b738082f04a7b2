import {
  bearerAuthChallengeResponse,
  getOAuthProtectedResourceMetadataUrl,
  OAuthError,
  OAuthErrorCode,
  verifyBearerToken,
  type AuthInfo,
  type OAuthProtectedResourceMetadata,
} from '@modelcontextprotocol/server';

import type { Diagnosis } from '../server-object.ts';
import { normalized } from './authorization.ts';
import { FollowedTokens } from './followed-tokens.ts';
import type { TokenSource } from './token-source.ts';

/** A client that was told that tokens cannot be checked may ask again after so long. */
const RETRY_SECONDS = '5';

/** What a refused request was about. */
export interface RefusedRequest {
  /** The URL under which clients know the endpoint. */
  readonly resource: URL;
  /** What the request had, as {@link Authenticator.authenticate} was given it. */
  readonly authorization: string | undefined;
}

/** How a request without a sufficient token is answered. */
export interface AuthRefusal {
  readonly status: number;
  /** Safe to show. */
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Tells by the bearer token of an HTTP request who sends it, and answers those who may not. */
export class Authenticator {
  readonly #source: TokenSource;
  readonly #scopes: readonly string[];
  readonly #followed: FollowedTokens;

  /** The scopes are those that every request needs. */
  constructor(source: TokenSource, scopes: readonly string[]) {
    this.#source = source;
    this.#scopes = scopes;
    this.#followed = new FollowedTokens(source);
  }

  /**
   * Who sends a request with this value of `Authorization`.
   *
   * @throws OAuthError `invalid_token`, `insufficient_scope`, or `temporarily_unavailable` where the token cannot be checked now
   */
  async authenticate(authorization: string | undefined): Promise<AuthInfo> {
    return verifyBearerToken(normalized(authorization), { verifier: this.#source, requiredScopes: [...this.#scopes] });
  }

  /** Calls `ended` when the token expires, is revoked or changes its rights. Returns a function that ends the subscription. */
  follow(auth: AuthInfo, ended: () => void): () => void {
    return this.#followed.follow(auth, ended);
  }

  /** The answer to what {@link Authenticator.authenticate} threw: 401, 403, 503 with `Retry-After`, or 500. */
  refusal(error: unknown, { resource, authorization }: RefusedRequest): AuthRefusal {
    if (!(error instanceof OAuthError)) return { status: 500, message: 'Internal error', headers: {} };
    const { code, message } = error;
    if (code === OAuthErrorCode.TemporarilyUnavailable)
      return { status: 503, message, headers: { 'Retry-After': RETRY_SECONDS } };
    if (authorization !== undefined) return this.#challenge(error, resource, this.#scopes);
    return { status: 401, message, headers: { 'WWW-Authenticate': this.#invitation(resource) } };
  }

  /** The answer, 403, to a request that needs these scopes and whose token lacks some of them. */
  insufficientScope(scopes: readonly string[], resource: URL): AuthRefusal {
    const error = new OAuthError(OAuthErrorCode.InsufficientScope, 'Insufficient scope');
    return this.#challenge(error, resource, this.#with(scopes));
  }

  /**
   * The document of RFC 9728 for an endpoint, which tells clients where to get tokens with these scopes; `undefined` where no
   * authorization server issues them.
   */
  metadata(resource: URL, scopes: readonly string[]): OAuthProtectedResourceMetadata | undefined {
    const { issuer } = this.#source;
    if (issuer === undefined) return undefined;
    return {
      resource: resource.href,
      authorization_servers: [issuer],
      scopes_supported: this.#with(scopes),
      bearer_methods_supported: ['header'],
    };
  }

  /** Whether tokens can be checked: what `check` says, and a server that starts. */
  diagnose(): Promise<Diagnosis> {
    return this.#source.diagnose();
  }

  #challenge(error: OAuthError, resource: URL, scopes: readonly string[]): AuthRefusal {
    const resourceMetadataUrl = this.#metadataUrl(resource);
    const options = { requiredScopes: [...scopes], ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl }) };
    const { status, headers } = bearerAuthChallengeResponse(error, options);
    const challenge = headers.get('WWW-Authenticate');
    return { status, message: error.message, headers: challenge === null ? {} : { 'WWW-Authenticate': challenge } };
  }

  // RFC 6750 §3.1: who sent no token is told of no error, only how to get in.
  #invitation(resource: URL): string {
    const parameters = { realm: 'mcp', scope: this.#scopes.join(' '), resource_metadata: this.#metadataUrl(resource) ?? '' };
    const given = Object.entries(parameters).filter(([, value]) => value !== '');
    return `Bearer ${given.map(([name, value]) => `${name}="${value}"`).join(', ')}`;
  }

  #metadataUrl(resource: URL): string | undefined {
    return this.#source.issuer === undefined ? undefined : getOAuthProtectedResourceMetadataUrl(resource);
  }

  #with(scopes: readonly string[]): string[] {
    return [...new Set([...this.#scopes, ...scopes])];
  }
}
