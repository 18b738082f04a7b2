import { OAuthError, OAuthErrorCode, type AuthInfo } from '@modelcontextprotocol/server';

import type { TokenSource } from './token-source.ts';

/** Maximum delay of a Node.js timer. */
const MAX_TIMER_MS = 2_147_483_647;

interface Followed {
  readonly auth: AuthInfo;
  readonly listeners: Set<() => void>;
  expiry: NodeJS.Timeout | undefined;
}

/** Watches the tokens of running requests and streams. */
export class FollowedTokens {
  readonly #source: TokenSource;
  readonly #followed = new Map<string, Followed>();
  #checks: NodeJS.Timeout | undefined;

  constructor(source: TokenSource) {
    this.#source = source;
  }

  /** Calls `ended` when the token expires, is revoked or changes its rights. Returns a function that ends the subscription. */
  follow(auth: AuthInfo, ended: () => void): () => void {
    const key = keyOf(auth);
    const followed = this.#followed.get(key) ?? { auth, listeners: new Set(), expiry: undefined };
    const isNew = followed.listeners.size === 0;
    followed.listeners.add(ended);
    // A token can expire between its verification and this call, which must end the subscription too.
    if (isNew) this.#start(key, followed);
    return () => {
      followed.listeners.delete(ended);
      if (followed.listeners.size === 0) this.#stop(key, followed);
    };
  }

  #start(key: string, followed: Followed): void {
    this.#followed.set(key, followed);
    this.#awaitExpiry(key, followed);
    const { recheckMs } = this.#source;
    if (recheckMs !== undefined) this.#checks ??= setInterval(() => this.#check(), recheckMs).unref();
  }

  #stop(key: string, followed: Followed): void {
    clearTimeout(followed.expiry);
    if (this.#followed.get(key) === followed) this.#followed.delete(key);
  }

  #awaitExpiry(key: string, followed: Followed): void {
    const { expiresAt } = followed.auth;
    if (expiresAt === undefined) return;
    const leftMs = expiresAt * 1000 - Date.now();
    if (leftMs <= 0) this.#end(key, followed);
    else {
      const again = (): void => this.#awaitExpiry(key, followed);
      followed.expiry = setTimeout(again, Math.min(leftMs, MAX_TIMER_MS)).unref();
    }
  }

  #check(): void {
    if (this.#followed.size === 0) {
      clearInterval(this.#checks);
      this.#checks = undefined;
    }
    for (const [key, followed] of this.#followed) {
      const end = (): void => this.#end(key, followed);
      this.#source.verifyAccessToken(followed.auth.token).then(
        (auth) => keyOf(auth) !== key && end(),
        // If the source is temporarily unavailable, requests that were allowed before continue.
        (error: unknown) => isInvalid(error) && end(),
      );
    }
  }

  #end(key: string, followed: Followed): void {
    const listeners = [...followed.listeners];
    followed.listeners.clear();
    this.#stop(key, followed);
    for (const listener of listeners) listener();
  }
}

/** Key that changes when the rights of the token change. */
function keyOf({ token, clientId, scopes, expiresAt }: AuthInfo): string {
  return JSON.stringify([token, clientId, scopes, expiresAt]);
}

function isInvalid(error: unknown): boolean {
  return error instanceof OAuthError && error.code === OAuthErrorCode.InvalidToken;
}
