import { createHmac, randomBytes } from 'node:crypto';

import type { ServerContext } from '@modelcontextprotocol/server';

import { OwnedEntries, type OwnedLimits } from './owned-entries.ts';
import { ownerOf } from './principal.ts';
import type { SealedValue, ValueSeals } from './sealing.ts';

/** One cursor takes about 600 bytes: 6,000 for one principal, 50,000 in total. */
const LIMITS: OwnedLimits = { ofOwner: 4_000_000, inAll: 32_000_000 };

/** Lower-case letters and digits without i, l, o and u: what models copy reliably and hosts do not escape. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** 5 bits each: 100 bits. */
const HANDLE_CHARACTERS = 20;

/**
 * Keeps values in the memory of this process and gives clients a short handle for each. A handle is a keyed hash of its value, so
 * equal values of the same principal, method and tool share one handle and one entry: a client that pages in a loop adds nothing.
 */
export class Handles implements ValueSeals {
  readonly #key = randomBytes(32);
  readonly #entries: OwnedEntries;

  constructor(limits: OwnedLimits = LIMITS) {
    this.#entries = new OwnedEntries(limits);
  }

  mint(sealed: SealedValue, request: ServerContext): Promise<string> {
    const owner = ownerOf(request);
    const text = JSON.stringify([request.mcpReq.method, sealed]);
    const digest = createHmac('sha256', this.#key).update(`${owner}\n${text}`).digest();
    const handle = Array.from(digest.subarray(0, HANDLE_CHARACTERS), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
    this.#entries.set(owner, handle, text);
    return Promise.resolve(handle);
  }

  verify(handle: string, request: ServerContext): Promise<SealedValue> {
    const text = this.#entries.get(ownerOf(request), handle);
    if (text === undefined) return Promise.reject(new Error('unknown handle'));
    const [method, sealed]: readonly [string, SealedValue] = JSON.parse(text);
    return method === request.mcpReq.method ? Promise.resolve(sealed) : Promise.reject(new Error('handle of another method'));
  }
}
