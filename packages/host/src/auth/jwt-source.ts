import { OAuthError, OAuthErrorCode, type AuthInfo } from '@modelcontextprotocol/server';
import type { JWTVerifyResult, RemoteJWKSet, jwtVerify } from 'jose';

import type { Log } from '../process/log.ts';
import type { Diagnosis } from '../process/server-object.ts';
import { IssuerError, issuerKeys } from './issuer-keys.ts';
import type { TokenSource } from './token-source.ts';

/** Tolerated difference between the clocks of the issuer and of this machine, for `exp` and `nbf`. */
const CLOCK_TOLERANCE_SECONDS = 30;

/** Algorithms with public keys. `none` and HMAC are excluded: an attacker could use the published key as an HMAC key. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'];

/** Media types of access tokens (RFC 9068 §2.1) and of JWTs in general; other kinds of JWT are not access tokens. */
const TYPES = new Set(['jwt', 'at+jwt', 'application/jwt', 'application/at+jwt']);

/** Messages by error code of jose, for errors that the token caused. Any other error is caused by the keys of the issuer. */
const TOKEN_ERRORS: ReadonlyMap<unknown, string> = new Map([
  ['ERR_JWT_CLAIM_VALIDATION_FAILED', 'A claim of the token is missing or wrong'],
  ['ERR_JWT_EXPIRED', 'Token has expired'],
  ['ERR_JWT_INVALID', 'Token is malformed'],
  ['ERR_JWS_INVALID', 'Token is malformed'],
  ['ERR_JWS_SIGNATURE_VERIFICATION_FAILED', 'Token has a wrong signature'],
  ['ERR_JOSE_ALG_NOT_ALLOWED', 'Token is signed with an algorithm that is not allowed'],
  ['ERR_JOSE_NOT_SUPPORTED', 'Token is signed in a way that is not supported'],
  ['ERR_JWKS_NO_MATCHING_KEY', 'Token is signed with a key that its issuer does not publish'],
  ['ERR_JWKS_MULTIPLE_MATCHING_KEYS', 'Token does not identify its signing key'],
]);

/** Messages for invalid claims. */
const CLAIM_ERRORS: ReadonlyMap<unknown, string> = new Map([
  ['iss', 'Token is from another issuer'],
  ['aud', 'Token was not issued for this server'],
  ['exp', 'Token has no expiration time'],
  ['nbf', 'Token is not valid yet'],
]);

/**
 * Logged if a key is too short or malformed. The original error is not logged, because it may contain parts of the
 * token.
 */
const UNUSABLE_KEY = new IssuerError("one of the issuer's keys cannot be used");

/** Options for {@link JwtSource}. */
export interface JwtSourceOptions {
  /** Must equal the claim `iss`. */
  readonly issuer: string;
  /** Must equal one of the audiences in the claim `aud`. */
  readonly audience: string;
  readonly log: Pick<Log, 'warning'>;
  /** Time limit in milliseconds for fetching the keys of the issuer. Default: 5,000. */
  readonly timeoutMs?: number;
}

/** Verifies access tokens: JWTs that one authorization server signed for this server. */
export class JwtSource implements TokenSource {
  readonly #options: JwtSourceOptions;
  readonly #keys: RemoteJWKSet;
  readonly #verify: typeof jwtVerify;
  #logged: IssuerError | undefined;

  private constructor(options: JwtSourceOptions, keys: RemoteJWKSet, verify: typeof jwtVerify) {
    this.#options = options;
    this.#keys = keys;
    this.#verify = verify;
  }

  static async open(options: JwtSourceOptions): Promise<JwtSource> {
    const { jwtVerify: verify } = await import('jose');
    return new JwtSource(options, await issuerKeys(options.issuer, options.timeoutMs), verify);
  }

  get issuer(): string {
    return this.#options.issuer;
  }

  async verifyAccessToken(token: string): Promise<AuthInfo> {
    const { protectedHeader, payload } = await this.#verified(token);
    const { sub } = payload;
    const clientId = payload['client_id'] ?? payload['azp'] ?? sub;
    if (!isAccessToken(protectedHeader.typ)) throw invalidToken('Token is not an access token');
    // A token that does not name its client is rejected: several clients would be one principal, and could use the sessions of
    // each other.
    if (!isName(clientId) || (sub !== undefined && !isName(sub))) throw invalidToken('Token does not identify its client');
    return {
      token,
      clientId,
      scopes: [...new Set([...splitScopes(payload['scope']), ...splitScopes(payload['scp'])])],
      // The SDK compares the expiry without a tolerance, so the tolerance is added here.
      expiresAt: Number(payload.exp) + CLOCK_TOLERANCE_SECONDS,
      ...(sub !== undefined && { extra: { sub } }),
    };
  }

  async diagnose(): Promise<Diagnosis> {
    const subject = `issuer ${this.issuer}`;
    try {
      await this.#keys.reload();
      return { subject, ok: true, detail: `keys: ${this.#keys.jwks()?.keys.length ?? 0}` };
    } catch (error) {
      return { subject, ok: false, detail: error instanceof Error ? error.message : String(error) };
    }
  }

  async #verified(token: string): Promise<JWTVerifyResult> {
    const { issuer, audience } = this.#options;
    const claims = { issuer, audience, requiredClaims: ['exp'], clockTolerance: CLOCK_TOLERANCE_SECONDS };
    try {
      return await this.#verify(token, this.#keys, { ...claims, algorithms: ALGORITHMS });
    } catch (error) {
      const problem = describeTokenError(error);
      if (problem !== undefined) throw invalidToken(problem);
      this.#report(error instanceof IssuerError ? error : UNUSABLE_KEY);
      throw new OAuthError(OAuthErrorCode.TemporarilyUnavailable, 'Tokens cannot be verified at the moment');
    }
  }

  #report(error: IssuerError): void {
    if (error === this.#logged) return;
    this.#logged = error;
    this.#options.log.warning(`cannot verify tokens from ${this.issuer}: ${error.message}`);
  }
}

function describeTokenError(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  const claim = error.code === 'ERR_JWT_CLAIM_VALIDATION_FAILED' && 'claim' in error ? error.claim : undefined;
  return CLAIM_ERRORS.get(claim) ?? TOKEN_ERRORS.get(error.code);
}

function invalidToken(message: string): OAuthError {
  return new OAuthError(OAuthErrorCode.InvalidToken, message);
}

function isAccessToken(type: unknown): boolean {
  return type === undefined || (typeof type === 'string' && TYPES.has(type.toLowerCase()));
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Returns the scopes of a claim: the words of a string (RFC 9068 §2.2.3) or, from some issuers, a list. */
function splitScopes(claim: unknown): readonly string[] {
  const listed: readonly unknown[] = typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : [];
  return listed.filter(isName);
}
