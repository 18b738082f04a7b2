import { OAuthError, OAuthErrorCode, type AuthInfo } from '@modelcontextprotocol/server';

import type { TokenSource } from './token-source.ts';

/** Maximum delay of a Node.js timer. */
const MAX_TIMER_MS = 2_147_483_647;

interface Followed {
  readonly auth: AuthInfo;
  readonly listeners: Set<() => void>;
  expiry: NodeJS.Timeout | undefined;
  /** Version of the token source at the last verification of the token. */
  version: string | undefined;
}

/** Watches the tokens of running requests and streams. */
export class FollowedTokens {
  readonly #source: TokenSource;
  readonly #followed = new Map<string, Followed>();
  #checks: NodeJS.Timeout | undefined;
  #isChecking = false;

  constructor(source: TokenSource) {
    this.#source = source;
  }

  /** Calls `ended` when the token expires, is revoked or changes its rights. Returns a function that ends the subscription. */
  follow(auth: AuthInfo, ended: () => void): () => void {
    const key = rightsKey(auth);
    const followed = this.#followed.get(key) ?? { auth, listeners: new Set(), expiry: undefined, version: undefined };
    const isNew = followed.listeners.size === 0;
    followed.listeners.add(ended);
    // The listener is added first: if the token has expired since its verification, `#start` calls the listener at once.
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
    if (recheckMs !== undefined) this.#checks ??= setInterval(() => void this.#check(), recheckMs).unref();
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

  async #check(): Promise<void> {
    if (this.#followed.size === 0) {
      clearInterval(this.#checks);
      this.#checks = undefined;
    }
    if (this.#isChecking) return;
    this.#isChecking = true;
    try {
      const version = await this.#source.readVersion?.();
      const outdated = [...this.#followed].filter(([, followed]) => version === undefined || followed.version !== version);
      await Promise.all(outdated.map(([key, followed]) => this.#verify(key, followed, version)));
    } catch {
      // If the source is temporarily unavailable, requests that were allowed before continue.
    } finally {
      this.#isChecking = false;
    }
  }

  async #verify(key: string, followed: Followed, version: string | undefined): Promise<void> {
    try {
      const auth = await this.#source.verifyAccessToken(followed.auth.token);
      if (rightsKey(auth) === key) followed.version = version;
      else this.#end(key, followed);
    } catch (error) {
      // If the source is temporarily unavailable, requests that were allowed before continue.
      if (isInvalid(error)) this.#end(key, followed);
    }
  }

  #end(key: string, followed: Followed): void {
    const listeners = [...followed.listeners];
    followed.listeners.clear();
    this.#stop(key, followed);
    for (const listener of listeners) listener();
  }
}

/** Returns a key that changes when the rights of the token change. */
function rightsKey({ token, clientId, scopes, expiresAt }: AuthInfo): string {
  return JSON.stringify([token, clientId, scopes, expiresAt]);
}

function isInvalid(error: unknown): boolean {
  return error instanceof OAuthError && error.code === OAuthErrorCode.InvalidToken;
}
