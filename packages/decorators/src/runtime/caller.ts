import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  type ClientCapabilities,
  type ServerContext,
} from '@modelcontextprotocol/server';

import { isPlainObject } from '../schema/json-schema.ts';
import type { Connection } from './connection.ts';
import { principalOf } from './sealing.ts';

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

/** Who a limit is for: whoever the token names, else the session, else the connection; without any of them, everybody together. */
export function callerOf({ id }: Connection, { http, sessionId }: ServerContext): string {
  if (http?.authInfo !== undefined) return JSON.stringify(principalOf(http.authInfo));
  return sessionId ?? (http === undefined ? id : 'anonymous');
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
