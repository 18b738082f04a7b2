import { OAuthError, OAuthErrorCode, type AuthInfo } from '@modelcontextprotocol/server';
import type { JWTVerifyResult, RemoteJWKSet, jwtVerify } from 'jose';

import type { Log } from '../log.ts';
import type { Diagnosis } from '../server-object.ts';
import { IssuerError, issuerKeys } from './issuer-keys.ts';
import type { TokenSource } from './token-source.ts';

/** How far the clocks of the issuer and of this machine may be apart, for `exp` and `nbf`. */
const CLOCK_TOLERANCE_SECONDS = 30;

/** With keys of which the issuer publishes one half. Never `none`, and no HMAC, whose key would be the published half. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'];

/** Media types of an access token (RFC 9068 §2.1) and of a JWT at large; other kinds of JWT are not for servers. */
const TYPES = new Set(['jwt', 'at+jwt', 'application/jwt', 'application/at+jwt']);

/** What is wrong with a token, by jose's code; any other error is not the token's. */
const TOKEN_ERRORS: ReadonlyMap<unknown, string> = new Map([
  ['ERR_JWT_CLAIM_VALIDATION_FAILED', 'Token has a claim that is missing or wrong'],
  ['ERR_JWT_EXPIRED', 'Token has expired'],
  ['ERR_JWT_INVALID', 'Token is malformed'],
  ['ERR_JWS_INVALID', 'Token is malformed'],
  ['ERR_JWS_SIGNATURE_VERIFICATION_FAILED', 'Token has a wrong signature'],
  ['ERR_JOSE_ALG_NOT_ALLOWED', 'Token is signed with an algorithm that is not allowed'],
  ['ERR_JOSE_NOT_SUPPORTED', 'Token is signed in a way that is not supported'],
  ['ERR_JWKS_NO_MATCHING_KEY', 'Token is signed with a key that its issuer does not publish'],
  ['ERR_JWKS_MULTIPLE_MATCHING_KEYS', 'Token does not say which key it is signed with'],
]);

/** The same by the claim that is wrong. */
const CLAIM_ERRORS: ReadonlyMap<unknown, string> = new Map([
  ['iss', 'Token is of another issuer'],
  ['aud', 'Token was not issued for this server'],
  ['exp', 'Token has no expiration time'],
  ['nbf', 'Token is not valid yet'],
]);

/** It is too short or malformed. The error of its use is not logged, since it may repeat what the token says. */
const UNUSABLE_KEY = new IssuerError('one of its keys cannot be used');

/** Whose tokens are taken. */
export interface JwtSourceOptions {
  /** Compared with the claim `iss` as it is written. */
  readonly issuer: string;
  /** One of the claim `aud`, as it is written. */
  readonly audience: string;
  readonly log: Pick<Log, 'warning'>;
  /** For one attempt to get the issuer's keys. Default: 5000. */
  readonly timeoutMs?: number;
}

/** Takes the access tokens of one authorization server: JWTs that it signed for this server. */
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
    if (!isAccessToken(protectedHeader.typ)) throw invalid('Token is not an access token');
    // Those who cannot be told apart would share sessions.
    if (!isName(clientId) || (sub !== undefined && !isName(sub))) throw invalid('Token does not say whose it is');
    return {
      token,
      clientId,
      scopes: [...new Set([...words(payload['scope']), ...words(payload['scp'])])],
      // The SDK compares it without tolerance.
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
      const problem = tokenProblem(error);
      if (problem !== undefined) throw invalid(problem);
      this.#report(error instanceof IssuerError ? error : UNUSABLE_KEY);
      throw new OAuthError(OAuthErrorCode.TemporarilyUnavailable, 'Tokens cannot be checked at the moment');
    }
  }

  #report(error: IssuerError): void {
    if (error === this.#logged) return;
    this.#logged = error;
    this.#options.log.warning(`tokens of ${this.issuer} cannot be checked: ${error.message}`);
  }
}

function tokenProblem(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  const claim = error.code === 'ERR_JWT_CLAIM_VALIDATION_FAILED' && 'claim' in error ? error.claim : undefined;
  return CLAIM_ERRORS.get(claim) ?? TOKEN_ERRORS.get(error.code);
}

function invalid(message: string): OAuthError {
  return new OAuthError(OAuthErrorCode.InvalidToken, message);
}

function isAccessToken(type: unknown): boolean {
  return type === undefined || (typeof type === 'string' && TYPES.has(type.toLowerCase()));
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Scopes are words of one string (RFC 9068 §2.2.3) or, with some issuers, a list. */
function words(claim: unknown): readonly string[] {
  const listed: readonly unknown[] = typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : [];
  return listed.filter(isName);
}
