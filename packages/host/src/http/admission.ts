import type { AuthInfo } from '@modelcontextprotocol/server';

import { principalKey } from '../sessions/principal-key.ts';
import { Refusal } from './refusal.ts';

/** Why a stream or a call ends before it is done. */
export const TOKEN_OVER = 'The access token has expired or was revoked';

/** What an {@link Admission} by a token is made of. */
export interface Admitted {
  readonly auth: AuthInfo;
  /** Calls `ended` once the token is not valid any more; returns a function that stops this. */
  readonly follow: (ended: () => void) => () => void;
  /** The answer to a request whose token stopped being valid before there was another answer. */
  readonly refusal: () => Refusal;
}

/** Who sends a request, and for how long its token is valid. */
export class Admission implements Disposable {
  readonly auth: AuthInfo | undefined;
  /** Of limits that are shared between principals; `undefined` without a token. */
  readonly principal: string | undefined;
  readonly #listeners = new Set<() => void>();
  readonly #refusal: () => Refusal;
  #unfollow: (() => void) | undefined;
  #isOver = false;

  /** Without arguments: anybody, for as long as the request takes. */
  constructor(admitted?: Admitted) {
    this.auth = admitted?.auth;
    this.principal = this.auth === undefined ? undefined : principalKey(this.auth);
    this.#refusal = admitted?.refusal ?? ((): Refusal => new Refusal(401, TOKEN_OVER));
    this.#unfollow = admitted?.follow(() => this.#end());
  }

  /** Whether the token is not valid any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** @throws Refusal 401 if the token is not valid any more */
  assertValid(): void {
    if (this.#isOver) throw this.#refusal();
  }

  /** Calls the listener once the token is not valid any more, unless the request is done before. */
  whenOver(listener: () => void): void {
    if (this.#isOver) listener();
    else this.#listeners.add(listener);
  }

  /** The request is done. */
  [Symbol.dispose](): void {
    this.#listeners.clear();
    this.#unfollow?.();
    this.#unfollow = undefined;
  }

  #end(): void {
    this.#isOver = true;
    for (const listener of this.#listeners) listener();
    this[Symbol.dispose]();
  }
}
