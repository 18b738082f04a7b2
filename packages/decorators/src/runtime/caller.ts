import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  type ClientCapabilities,
  type ServerContext,
} from '@modelcontextprotocol/server';

import { isPlainObject } from '../schema/json-schema.ts';
import type { Connection } from './connection.ts';
import { principalOf } from './principal.ts';

/** The program that sends a request, as it describes itself. */
export interface ClientDescription {
  /** Empty if it does not say. */
  readonly name: string;
  /** Empty if it does not say. */
  readonly version: string;
  /** What it can be asked for; empty if it does not say. */
  readonly capabilities: ClientCapabilities;
}

/** A session's client says what it is once, another one in every request. */
export function clientOf({ server, era }: Connection, { mcpReq }: ServerContext): ClientDescription {
  if (era === 'legacy') return describe(server.getClientVersion(), server.getClientCapabilities() ?? {});
  const capabilities = envelopeOf(mcpReq, CLIENT_CAPABILITIES_META_KEY);
  return describe(envelopeOf(mcpReq, CLIENT_INFO_META_KEY), isPlainObject(capabilities) ? capabilities : {});
}

/** The revision a request is served on. */
export function protocolVersionOf({ server, era }: Connection, { mcpReq }: ServerContext): string {
  const version = era === 'legacy' ? server.getNegotiatedProtocolVersion() : envelopeOf(mcpReq, PROTOCOL_VERSION_META_KEY);
  return typeof version === 'string' ? version : '';
}

/** The sender of a request, to which limits apply. */
export interface Caller {
  /**
   * Identifies the principal. Without a token it identifies the session or the connection; requests without either share one
   * key.
   */
  readonly key: string;
  /** Whether other clients may have the same key, as requests over HTTP have that carry neither a token nor a session. */
  readonly isShared: boolean;
  /** Whether the process may serve other callers at the same time, as it may over HTTP. */
  readonly hasPeers: boolean;
}

const CALLER = Symbol.for('@org/mcp-decorators/caller');

/** The caller of work that does not belong to a request. */
const SERVER: Caller = { key: '', isShared: false, hasPeers: false };

/** Returns the caller that limits apply to. */
export function callerOf({ id }: Connection, request: ServerContext): Caller {
  const { http, sessionId } = request;
  if (http === undefined) return { key: sessionId ?? id, isShared: false, hasPeers: false };
  const key = principalKeyOf(request) ?? sessionId;
  return { key: key ?? 'anonymous', isShared: key === undefined, hasPeers: true };
}

/** Identifies the principal of a request by its token. Returns `undefined` without a token. */
export function principalKeyOf({ http }: Pick<ServerContext, 'http'>): string | undefined {
  return http?.authInfo && JSON.stringify(principalOf(http.authInfo));
}

/** Lets {@link callerBehind} find the caller by the signal of a request, which all work for the request receives. */
export function setCaller(signal: AbortSignal, caller: Caller): void {
  Object.defineProperty(signal, CALLER, { value: caller, configurable: true });
}

/**
 * Returns the caller of the request whose `RequestContext.signal` this is.
 *
 * Any other signal belongs to the server itself, unless {@link setCaller} assigned a caller to the signal.
 */
export function callerBehind(signal: AbortSignal): Caller {
  const caller: Caller | undefined = Reflect.get(signal, CALLER);
  return caller ?? SERVER;
}

function describe(given: unknown, capabilities: ClientCapabilities): ClientDescription {
  const { name, version } = isPlainObject(given) ? given : {};
  return {
    name: typeof name === 'string' ? name : '',
    version: typeof version === 'string' ? version : '',
    capabilities,
  };
}

function envelopeOf({ envelope = {} }: ServerContext['mcpReq'], key: string): unknown {
  return Reflect.get(envelope, key);
}
