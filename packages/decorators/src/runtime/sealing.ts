import { createHmac, randomBytes } from 'node:crypto';

import { createRequestStateCodec, type RequestStateCodec, type ServerContext } from '@modelcontextprotocol/server';

import { Handles } from './handles.ts';
import { principalOf } from './principal.ts';
import type { SealedState } from './questions/call-state.ts';
import type { SingleUse } from './spent-seals.ts';

/** Shorter keys can be guessed: 256 bits, as HMAC-SHA256 asks for. */
const KEY_BYTES = 32;
/** A person may take so long to answer. */
const STATE_SECONDS = 600;
/** A client may page through a list or a result for a day. */
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

/** Gives clients a text for a value, and returns the value for the text. */
export interface ValueSeals {
  mint(sealed: SealedValue, request: ServerContext): Promise<string>;
  /** Rejects a text that is unknown, expired or made for another principal or method. */
  verify(text: string, request: ServerContext): Promise<SealedValue>;
}

/** Seals what clients carry for the server. Each purpose has a key of its own. */
export interface Sealing {
  /** Valid for 10 minutes, for the principal and method that it was made for. */
  readonly states: RequestStateCodec<SealedState>;
  /** Valid for a day. */
  readonly cursors: RequestStateCodec<Cursor>;
  /** Valid for a day, for the principal and method that it was made for. */
  readonly values: ValueSeals;
}

/** Identity of the sealing server, equal in all processes that serve the same clients. */
export interface Sealer {
  readonly server: string;
  /** Mount path of the server; empty if the process serves only one server. */
  readonly mount: string;
}

/**
 * Creates the codecs of one server from a key of at least 32 bytes. Processes that serve the same clients share the key. A server
 * with another name or mount path rejects the seals. Without a key, the server uses a random one and keeps values in its memory:
 * models copy the texts for values, and a handle of the memory is shorter than a seal.
 *
 * @throws RangeError if the key is shorter
 */
export function sealingBy({ server, mount }: Sealer, shared?: Uint8Array | string): Sealing {
  const key = shared ?? randomBytes(KEY_BYTES);
  if (Buffer.byteLength(key) < KEY_BYTES) throw new RangeError(`the state key needs at least ${KEY_BYTES} bytes`);
  const derive = (purpose: string): Uint8Array =>
    createHmac('sha256', key)
      .update(JSON.stringify([purpose, server, mount]))
      .digest();
  return {
    states: createRequestStateCodec({ key: derive('request state'), ttlSeconds: STATE_SECONDS, bind }),
    cursors: createRequestStateCodec({ key: derive('cursor'), ttlSeconds: DAY_SECONDS }),
    values:
      shared === undefined ? new Handles() : createRequestStateCodec({ key: derive('value'), ttlSeconds: DAY_SECONDS, bind }),
  };
}

function bind({ mcpReq, http }: ServerContext): string {
  return JSON.stringify([mcpReq.method, principalOf(http?.authInfo)]);
}
