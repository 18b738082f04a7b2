import type { AuthInfo } from '@modelcontextprotocol/server';

import { principalKey } from '../sessions/principal-key.ts';
import { Refusal } from './refusal.ts';

/** Reason for ending a stream or a call early. */
export const TOKEN_OVER = 'The access token has expired or was revoked';

/** Parts of an {@link Admission} by a token. */
export interface Admitted {
  readonly auth: AuthInfo;
  /** Calls `ended` when the token is no longer valid. Returns a function that ends the subscription. */
  readonly follow: (ended: () => void) => () => void;
  /** Creates the answer to a request whose token became invalid before any other answer was sent. */
  readonly refusal: () => Refusal;
}

/** The sender of a request, and the validity of its token. */
export class Admission implements Disposable {
  readonly auth: AuthInfo | undefined;
  /** Principal for limits that principals share; `undefined` without a token. */
  readonly principal: string | undefined;
  readonly #listeners = new Set<() => void>();
  readonly #refusal: () => Refusal;
  #unfollow: (() => void) | undefined;
  #isOver = false;

  /** Without an argument, admits an anonymous sender for the duration of the request. */
  constructor(admitted?: Admitted) {
    this.auth = admitted?.auth;
    this.principal = this.auth === undefined ? undefined : principalKey(this.auth);
    this.#refusal = admitted?.refusal ?? ((): Refusal => new Refusal(401, TOKEN_OVER));
    this.#unfollow = admitted?.follow(() => this.#end());
  }

  /** Whether the token is no longer valid. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** @throws Refusal 401 if the token is no longer valid */
  assertValid(): void {
    if (this.#isOver) throw this.#refusal();
  }

  /** Calls the listener when the token becomes invalid, unless the request ends first. */
  whenOver(listener: () => void): void {
    if (this.#isOver) listener();
    else this.#listeners.add(listener);
  }

  /** Stops following the token when the request ends. */
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
