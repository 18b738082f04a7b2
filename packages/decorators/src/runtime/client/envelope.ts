import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  type RequestMeta,
  type RequestMetaEnvelope,
} from '@modelcontextprotocol/server';

import { isPlainObject } from '../../schema/json-schema.ts';

/** The description of the client in the `_meta` of a request (2026-07-28). */
type Envelope = Partial<RequestMetaEnvelope>;

/** The `_meta` of a request in two parts. */
export interface RequestMetaParts {
  readonly meta: RequestMeta | undefined;
  /** `undefined` if the request does not describe its client. */
  readonly envelope: Envelope | undefined;
}

const ENVELOPE: ReadonlySet<string> = new Set([
  PROTOCOL_VERSION_META_KEY,
  CLIENT_INFO_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  LOG_LEVEL_META_KEY,
]);
/** Prefix of the keys that the protocol reserves. */
const RESERVED = 'io.modelcontextprotocol/';
const NOTHING: RequestMetaParts = { meta: undefined, envelope: undefined };

/** Splits the `_meta` of a request. Returns `undefined` for metadata that may have a meaning only for the SDK. */
export function splitMeta(given: unknown): RequestMetaParts | undefined {
  if (given === undefined) return NOTHING;
  if (!isPlainObject(given)) return undefined;
  const meta: Record<string, unknown> = {};
  const envelope: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(given)) {
    if (ENVELOPE.has(key)) envelope[key] = value;
    else if (key.startsWith(RESERVED) || key === '__proto__') return undefined;
    else meta[key] = value;
  }
  const { progressToken } = given;
  const isToken = progressToken === undefined || typeof progressToken === 'string' || Number.isSafeInteger(progressToken);
  if (!isToken) return undefined;
  return { meta: orNothing(meta), envelope: orNothing(envelope) };
}

function orNothing<Members extends object>(members: Members): Members | undefined {
  return Object.keys(members).length === 0 ? undefined : members;
}

/** Maximum number of remembered envelopes; each version of a client program usually sends one. */
const MAX_ENVELOPES = 1000;
/** Maximum length of a remembered envelope in characters. */
const MAX_LENGTH = 4096;

/** Remembers the envelopes that the SDK has accepted, because checking one takes longer than most calls. */
export class AcceptedEnvelopes {
  readonly #texts = new Set<string>();

  accept(envelope: Envelope | undefined): void {
    const text = JSON.stringify(envelope);
    if (text === undefined || text.length > MAX_LENGTH || this.#texts.has(text)) return;
    if (this.#texts.size === MAX_ENVELOPES) this.#texts.clear();
    this.#texts.add(text);
  }

  has(envelope: Envelope | undefined): boolean {
    return envelope !== undefined && this.#texts.has(JSON.stringify(envelope));
  }
}
