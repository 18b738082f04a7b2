import type { AuthInfo } from '@modelcontextprotocol/server';
import { getPrincipal } from '@org/mcp-decorators';

import { HttpError } from '../http-messages/http-error.ts';

/** Text of the error if a stream or a call ends because its token is no longer valid. */
export const TOKEN_ENDED = 'The access token has expired or was revoked';

const NO_PRINCIPAL = JSON.stringify(getPrincipal(undefined));

/** Parts of the {@link Admission} of a request with a token. */
export interface Admitted {
  readonly auth: AuthInfo;
  /** Calls `ended` when the token is no longer valid. Returns a function that ends the subscription. */
  readonly follow: (ended: () => void) => () => void;
  /** Creates the error response to a request whose token became invalid before its response was sent. */
  readonly refusal: () => HttpError;
}

/** The sender of a request, and the validity of its token. */
export class Admission implements Disposable {
  readonly auth: AuthInfo | undefined;
  /** Principal for shared limits; `undefined` without a token. */
  readonly principal: string | undefined;
  readonly #listeners = new Set<() => void>();
  readonly #refusal: () => HttpError;
  #unfollow: (() => void) | undefined;
  #isTokenEnded = false;

  /** Without an argument, admits a sender without a token for the duration of the request. */
  constructor(admitted?: Admitted) {
    this.auth = admitted?.auth;
    this.principal = this.auth && JSON.stringify(getPrincipal(this.auth));
    this.#refusal = admitted?.refusal ?? ((): HttpError => new HttpError(401, TOKEN_ENDED));
    this.#unfollow = admitted?.follow(() => this.#end());
  }

  /** Whether the token is no longer valid. */
  get isTokenEnded(): boolean {
    return this.#isTokenEnded;
  }

  /** Key that distinguishes principals. All senders without a token have the same key. */
  get principalKey(): string {
    return this.principal ?? NO_PRINCIPAL;
  }

  /** @throws HttpError 401 if the token is no longer valid */
  assertValid(): void {
    if (this.#isTokenEnded) throw this.#refusal();
  }

  /**
   * Calls the listener when the token becomes invalid, unless the request ends first. Calls it at once if the token is
   * already invalid.
   */
  onTokenEnd(listener: () => void): void {
    if (this.#isTokenEnded) listener();
    else this.#listeners.add(listener);
  }

  /** Stops following the token when the request ends. */
  [Symbol.dispose](): void {
    this.#listeners.clear();
    this.#unfollow?.();
    this.#unfollow = undefined;
  }

  #end(): void {
    this.#isTokenEnded = true;
    for (const listener of this.#listeners) listener();
    this[Symbol.dispose]();
  }
}
