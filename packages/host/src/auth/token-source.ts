import type { OAuthTokenVerifier } from '@modelcontextprotocol/server';

import type { Diagnosis } from '../server-object.ts';

/** Where tokens are looked up: a file, or the keys of an authorization server. */
export interface TokenSource extends OAuthTokenVerifier {
  /** The authorization server whose tokens are taken; `undefined` where there is none. */
  readonly issuer: string | undefined;
  /**
   * Milliseconds between checks of the token of a running request or stream, which ends when the token is rejected. Default: the
   * token is not checked again, and only its expiry ends the stream.
   */
  readonly recheckMs?: number;
  /**
   * Returns a value that is different after any token may have become invalid or changed its rights. Each followed token is then
   * verified again, and otherwise only once. Default: each followed token is verified at each check.
   */
  readVersion?(): Promise<string>;
  /** What `check` says of it. */
  diagnose(): Promise<Diagnosis>;
}
