import {
  bearerAuthChallengeResponse,
  getOAuthProtectedResourceMetadataUrl,
  OAuthError,
  OAuthErrorCode,
  verifyBearerToken,
  type AuthInfo,
  type OAuthProtectedResourceMetadata,
} from '@modelcontextprotocol/server';

import type { Diagnosis } from '../process/server-object.ts';
import { normalizeAuthorization } from './authorization.ts';
import { FollowedTokens } from './followed-tokens.ts';
import type { TokenSource } from './token-source.ts';

/** `Retry-After` in seconds while tokens cannot be verified. */
const RETRY_SECONDS = '5';

/** A request that was not authorized. */
export interface RejectedRequest {
  /** URL of the endpoint that clients use. */
  readonly resource: URL;
  /** `Authorization` header of the request, as passed to {@link Authenticator.authenticate}. */
  readonly authorization: string | undefined;
}

/** Response to a request without a sufficient token. */
export interface AuthErrorResponse {
  readonly status: number;
  /** Message that the client may see. */
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Authenticates HTTP requests by their bearer token, and creates the responses to unauthorized requests. */
export class Authenticator {
  readonly #source: TokenSource;
  readonly #scopes: readonly string[];
  readonly #followed: FollowedTokens;

  /** @param scopes scopes that every request must have */
  constructor(source: TokenSource, scopes: readonly string[]) {
    this.#source = source;
    this.#scopes = scopes;
    this.#followed = new FollowedTokens(source);
  }

  /**
   * Resolves to the sender of a request with this `Authorization` header.
   * @throws OAuthError `invalid_token`, `insufficient_scope`, or `temporarily_unavailable` if the token cannot be
   * verified at the moment
   */
  async authenticate(authorization: string | undefined): Promise<AuthInfo> {
    return verifyBearerToken(normalizeAuthorization(authorization), {
      verifier: this.#source,
      requiredScopes: [...this.#scopes],
    });
  }

  /** Calls `ended` when the token expires, is revoked or changes its rights. Returns a function that ends the subscription. */
  follow(auth: AuthInfo, ended: () => void): () => void {
    return this.#followed.follow(auth, ended);
  }

  /** Creates the response to an error of {@link Authenticator.authenticate}: 401, 403, 503 with `Retry-After`, or 500. */
  refusal(error: unknown, { resource, authorization }: RejectedRequest): AuthErrorResponse {
    if (!(error instanceof OAuthError)) return { status: 500, message: 'Internal error', headers: {} };
    const { code, message } = error;
    if (code === OAuthErrorCode.TemporarilyUnavailable)
      return { status: 503, message, headers: { 'Retry-After': RETRY_SECONDS } };
    if (code === OAuthErrorCode.InsufficientScope) return this.insufficientScope(this.#scopes, resource);
    if (authorization !== undefined) return this.#challenge(error, resource, this.#scopes);
    return { status: 401, message, headers: { 'WWW-Authenticate': this.#invitation(resource) } };
  }

  /** Creates the response, 403, to a request whose token lacks some of the required scopes. */
  insufficientScope(scopes: readonly string[], resource: URL): AuthErrorResponse {
    const needed = this.#with(scopes);
    const message = `Insufficient scope; the request needs ${needed.join(' ')}`;
    return this.#challenge(new OAuthError(OAuthErrorCode.InsufficientScope, message), resource, needed);
  }

  /**
   * Returns the protected resource metadata (RFC 9728) of an endpoint, which names the authorization server and the scopes. Returns
   * `undefined` if no authorization server issues the tokens.
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

  /** Returns the line of `check` that reports whether tokens can be verified. */
  diagnose(): Promise<Diagnosis> {
    return this.#source.diagnose();
  }

  #challenge(error: OAuthError, resource: URL, scopes: readonly string[]): AuthErrorResponse {
    const resourceMetadataUrl = this.#metadataUrl(resource);
    const options = { requiredScopes: [...scopes], ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl }) };
    const { status, headers } = bearerAuthChallengeResponse(error, options);
    const challenge = headers.get('WWW-Authenticate');
    return { status, message: error.message, headers: challenge === null ? {} : { 'WWW-Authenticate': challenge } };
  }

  // RFC 6750 §3.1: without a token in the request, the challenge contains no error code.
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
