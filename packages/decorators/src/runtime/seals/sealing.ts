import { createHmac, randomBytes } from 'node:crypto';

import { createRequestStateCodec, type RequestStateCodec, type ServerContext } from '@modelcontextprotocol/server';

import { getPrincipal, getSealOwner } from '../client/client.ts';
import type { ValueSeals, SealedValue } from './sealed-value.ts';
import type { SingleUse } from './spent-seals.ts';
import { OwnedEntries, type OwnedLimits } from './owned-entries.ts';

/** Minimum size of the key in bytes: 256 bits, as recommended for HMAC-SHA256. A shorter key can be guessed. */
const KEY_BYTES = 32;
/** Lifetime of a suspended call's state, in seconds. A person has to answer within this time. */
const STATE_SECONDS = 600;
/** Lifetime of cursors and sealed values in seconds: one day to page through a list or a result. */
const DAY_SECONDS = 86_400;

/** Position of the next page of a list. */
interface Cursor {
  readonly list: string;
  readonly from: number;
}

/** Seals values that clients store for the server. Each purpose has a separate key. */
export interface Sealing {
  /**
   * Codec for the states of suspended calls. A state is valid for 10 minutes, only for the same principal and the same
   * protocol method, such as `tools/call`.
   */
  readonly states: RequestStateCodec<SingleUse>;
  /** Codec for the cursors of lists. A cursor is valid for a day. */
  readonly cursors: RequestStateCodec<Cursor>;
  /**
   * Seals for values of tools, prompts and resources. A seal is valid for at most a day, only for the same principal and the same
   * protocol method, such as `tools/call`. The caller checks which tool, prompt or resource sealed the value.
   */
  readonly values: ValueSeals;
}

/** Identity of the sealing server; the same in all processes that serve the same clients. */
export interface Sealer {
  readonly server: string;
  /** Mount path of the server; empty if the process serves only one server. */
  readonly mount: string;
}

/**
 * Creates the codecs of one server from a key of at least 32 bytes. Processes that serve the same clients share the key. A server
 * with another name or mount path rejects the seals. Without a key, the server uses a random key and keeps values in its memory:
 * models have to copy the texts for values, and a handle is shorter than a sealed value.
 *
 * @throws RangeError if the key is shorter than 32 bytes
 */
export function createSealing({ server, mount }: Sealer, shared?: Uint8Array | string): Sealing {
  if (shared !== undefined && Buffer.byteLength(shared) < KEY_BYTES)
    throw new RangeError(`the state key needs at least ${KEY_BYTES} bytes`);
  // Computed at first use, because loading node:crypto takes 2 ms, and most sessions seal nothing.
  const getKey = once(() => shared ?? randomBytes(KEY_BYTES));
  const derive = (purpose: string): Uint8Array =>
    createHmac('sha256', getKey())
      .update(JSON.stringify([purpose, server, mount]))
      .digest();
  const getStates = once(() =>
    createRequestStateCodec<SingleUse>({ key: derive('request state'), ttlSeconds: STATE_SECONDS, bind }),
  );
  const getCursors = once(() => createRequestStateCodec<Cursor>({ key: derive('cursor'), ttlSeconds: DAY_SECONDS }));
  const getValues = once(() =>
    shared === undefined
      ? new Handles()
      : createRequestStateCodec<SealedValue>({ key: derive('value'), ttlSeconds: DAY_SECONDS, bind }),
  );
  return {
    get states() {
      return getStates();
    },
    get cursors() {
      return getCursors();
    },
    get values() {
      return getValues();
    },
  };
}

/** Returns a function that computes a value when it is first called, and keeps the value. */
function once<Value extends object | string>(compute: () => Value): () => Value {
  let value: Value | undefined;
  return () => (value ??= compute());
}

function bind({ mcpReq, http }: ServerContext): string {
  return JSON.stringify([mcpReq.method, getPrincipal(http?.authInfo)]);
}

/**
 * Limits in bytes. One cursor takes about 600 bytes, so one principal has at most about 6,000 cursors and all
 * principals together at most about 50,000.
 */
const LIMITS: OwnedLimits = { perOwner: 4_000_000, total: 32_000_000 };

/** Lower-case letters and digits without i, l, o and u: what models copy reliably and hosts do not escape. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Number of characters in a handle. Each character has 5 bits, so a handle has 100 bits. */
const HANDLE_CHARACTERS = 20;

/**
 * Keeps values in the memory of this process and gives clients a short handle for each. A handle is a keyed hash of its value, so
 * equal values of the same principal, method and tool share one handle and one entry: a client that pages in a loop adds nothing.
 */
class Handles implements ValueSeals {
  readonly #key = randomBytes(32);
  readonly #entries: OwnedEntries;

  constructor(limits: OwnedLimits = LIMITS) {
    this.#entries = new OwnedEntries(limits);
  }

  mint(sealed: SealedValue, request: ServerContext): Promise<string> {
    const owner = getSealOwner(request);
    const text = JSON.stringify([request.mcpReq.method, sealed]);
    const digest = createHmac('sha256', this.#key).update(`${owner}\n${text}`).digest();
    const handle = Array.from(digest.subarray(0, HANDLE_CHARACTERS), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
    this.#entries.set(owner, handle, text);
    return Promise.resolve(handle);
  }

  verify(handle: string, request: ServerContext): Promise<SealedValue> {
    const text = this.#entries.get(getSealOwner(request), handle);
    if (text === undefined) return Promise.reject(new Error('unknown handle'));
    const [method, sealed]: readonly [string, SealedValue] = JSON.parse(text);
    return method === request.mcpReq.method ? Promise.resolve(sealed) : Promise.reject(new Error('handle of another method'));
  }
}
