import type { OAuthTokenVerifier } from '@modelcontextprotocol/server';

import type { Diagnosis } from '../process/server-object.ts';

/** Verifies tokens: with a file, or with the keys of an authorization server. */
export interface TokenSource extends OAuthTokenVerifier {
  /** Authorization server that issues the tokens; `undefined` without an authorization server. */
  readonly issuer: string | undefined;
  /**
   * Milliseconds between checks of the token of a running request or stream, which ends when the token is rejected. Default: the
   * token is not checked again, and only its expiry ends the stream.
   */
  readonly recheckMs?: number;
  /**
   * Returns a value that changes whenever a token may have become invalid or changed its rights. Followed tokens are
   * verified again only after the value has changed. Default: followed tokens are verified at each check.
   */
  readVersion?(): Promise<string>;
  /** Returns the line of `check` that reports whether tokens can be verified. */
  diagnose(): Promise<Diagnosis>;
}
