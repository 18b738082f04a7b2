import { OAuthError, OAuthErrorCode, type AuthInfo } from '@modelcontextprotocol/server';
import { Authenticator, type TokenSource } from '@org/mcp-host';

/** A token source whose tokens are names. Tests can revoke tokens. */
export class Tokens implements TokenSource {
  readonly issuer = undefined;
  readonly recheckMs = 20;
  readonly #revoked = new Set<string>();
  readonly #expiresAt: number;

  /** `expiresAt` is in seconds since the epoch. */
  constructor(expiresAt: number = Math.floor(Date.now() / 1000) + 3600) {
    this.#expiresAt = expiresAt;
  }

  get authenticator(): Authenticator {
    return new Authenticator(this, []);
  }

  revoke(name: string): void {
    this.#revoked.add(name);
  }

  verifyAccessToken(token: string): Promise<AuthInfo> {
    if (this.#revoked.has(token)) return Promise.reject(new OAuthError(OAuthErrorCode.InvalidToken, 'Token is not known'));
    return Promise.resolve({ token, clientId: token, scopes: ['read', 'write'], expiresAt: this.#expiresAt });
  }

  diagnose(): ReturnType<TokenSource['diagnose']> {
    return Promise.resolve({ subject: 'tokens', ok: true, detail: 'are names' });
  }
}
