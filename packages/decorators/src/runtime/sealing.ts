import { createHmac, randomBytes } from 'node:crypto';

import { createRequestStateCodec, type AuthInfo, type RequestStateCodec, type ServerContext } from '@modelcontextprotocol/server';

import type { SealedState } from './questions/call-state.ts';
import type { SingleUse } from './spent-seals.ts';

/** Shorter keys can be guessed: 256 bits, as HMAC-SHA256 asks for. */
const KEY_BYTES = 32;
/** A person may take so long to answer. */
const STATE_SECONDS = 600;
/** A list or a result may be paged through for so long. */
const DAY_SECONDS = 86_400;

/** Where the next page of a list begins. */
interface Cursor {
  readonly list: string;
  readonly from: number;
}

/** What a method gave a client to bring back. */
export interface SealedValue {
  /** The tool or prompt that gave it, or the resource. */
  readonly owner: string;
  readonly value: unknown;
  /** Present if the value is for a single use. */
  readonly once?: SingleUse;
}

/** Seals what clients carry for the server, so that it needs to remember nothing: each purpose has a key of its own. */
export interface Sealing {
  /** Valid for 10 minutes, for the principal and method that it was made for. */
  readonly states: RequestStateCodec<SealedState>;
  /** Valid for a day. */
  readonly cursors: RequestStateCodec<Cursor>;
  /** Valid for a day, for the principal and method that it was made for. */
  readonly values: RequestStateCodec<SealedValue>;
}

/** Identity of the sealing server, equal in all processes that serve the same clients. */
export interface Sealer {
  readonly server: string;
  /** Mount path of the server; empty if the process serves only one server. */
  readonly mount: string;
}

/**
 * Creates the codecs of one server from a key of at least 32 bytes. Processes that serve the same clients share the key. A server
 * with another name or mount path rejects the seals. Default: a random key.
 *
 * @throws RangeError if the key is shorter
 */
export function sealingBy({ server, mount }: Sealer, key: Uint8Array | string = randomBytes(KEY_BYTES)): Sealing {
  if (Buffer.byteLength(key) < KEY_BYTES) throw new RangeError(`the state key needs at least ${KEY_BYTES} bytes`);
  const derive = (purpose: string): Uint8Array =>
    createHmac('sha256', key)
      .update(JSON.stringify([purpose, server, mount]))
      .digest();
  return {
    states: createRequestStateCodec({ key: derive('request state'), ttlSeconds: STATE_SECONDS, bind }),
    cursors: createRequestStateCodec({ key: derive('cursor'), ttlSeconds: DAY_SECONDS }),
    values: createRequestStateCodec({ key: derive('value'), ttlSeconds: DAY_SECONDS, bind }),
  };
}

function bind({ mcpReq, http }: ServerContext): string {
  return JSON.stringify([mcpReq.method, principalOf(http?.authInfo)]);
}

/** Returns the principal that the seals of a request are bound to. All requests without a token share one principal. */
export function ownerOf({ http }: Pick<ServerContext, 'http'>): string {
  return JSON.stringify(principalOf(http?.authInfo));
}

/** Who sent a request, as far as its token says. */
export function principalOf(auth: AuthInfo | undefined): readonly [client?: string, subject?: string] {
  if (auth === undefined) return [];
  const subject: unknown = auth.extra?.['sub'];
  return typeof subject === 'string' ? [auth.clientId, subject] : [auth.clientId];
}
