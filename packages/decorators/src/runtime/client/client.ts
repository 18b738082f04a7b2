import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  type ClientCapabilities,
  type ProtocolEra,
  type Server,
  type ServerContext,
  type AuthInfo,
} from '@modelcontextprotocol/server';

import { VIEW_TYPE } from '../../compile/resources.ts';
import { isPlainObject } from '../../schema/json-schema.ts';

/** The protocol instance that serves one session or, with protocol version 2026-07-28, one stdio connection or one HTTP request. */
export interface ClientConnection {
  readonly sdkServer: Server;
  readonly era: ProtocolEra;
  /** Identifies the connection if the request has neither a token nor a session. */
  readonly id: string;
}

/** Description that the client program gives of itself. */
export interface ClientDescription {
  /** Name of the client program; empty if the client does not give its name. */
  readonly name: string;
  /** Version of the client program; empty if the client does not give its version. */
  readonly version: string;
  /** Capabilities of the client; empty if the client does not declare capabilities. */
  readonly capabilities: ClientCapabilities;
}

/**
 * Describes the client of a request. A session's client describes itself once; on 2026-07-28, every request contains the
 * description.
 */
export function describeClient({ sdkServer, era }: ClientConnection, { mcpReq }: ServerContext): ClientDescription {
  if (era === 'legacy') return toDescription(sdkServer.getClientVersion(), sdkServer.getClientCapabilities() ?? {});
  const capabilities = readEnvelope(mcpReq, CLIENT_CAPABILITIES_META_KEY);
  return toDescription(readEnvelope(mcpReq, CLIENT_INFO_META_KEY), isPlainObject(capabilities) ? capabilities : {});
}

/** Returns the protocol version of a request. */
export function readProtocolVersion({ sdkServer, era }: ClientConnection, { mcpReq }: ServerContext): string {
  const version = era === 'legacy' ? sdkServer.getNegotiatedProtocolVersion() : readEnvelope(mcpReq, PROTOCOL_VERSION_META_KEY);
  return typeof version === 'string' ? version : '';
}

function toDescription(given: unknown, capabilities: ClientCapabilities): ClientDescription {
  const { name, version } = isPlainObject(given) ? given : {};
  return {
    name: typeof name === 'string' ? name : '',
    version: typeof version === 'string' ? version : '',
    capabilities,
  };
}

function readEnvelope({ envelope = {} }: ServerContext['mcpReq'], key: string): unknown {
  return Reflect.get(envelope, key);
}

/** Identifier of the extension MCP Apps. */
export const APPS_EXTENSION = 'io.modelcontextprotocol/ui';

/** Whether the client of a request shows views of MCP Apps. */
export function showsApps(connection: ClientConnection, request: ServerContext): boolean {
  const { extensions } = describeClient(connection, request).capabilities;
  const settings: unknown = extensions?.[APPS_EXTENSION];
  if (!isPlainObject(settings)) return false;
  const { mimeTypes } = settings;
  return Array.isArray(mimeTypes) && mimeTypes.includes(VIEW_TYPE);
}

/** Whether results contain structured content and `tools/list` contains output schemas. */
export type StructuredMode = 'auto' | 'always' | 'never';

/**
 * Hosts, by `clientInfo.name`, that get no structured content: their models would see it instead of the text, in addition to the
 * text, or not at all. The text is complete and takes fewer tokens. Measured with the versions of November 2026.
 */
const TEXT_HOSTS: ReadonlySet<string> = new Set([
  'claude-code',
  'codex-mcp-client',
  'copilot-cli',
  'gemini-cli-mcp-client',
  'opencode',
  'kilo',
  'continue-cli-client',
  '@cline/core',
]);

/** Start of the `clientInfo.name` of Qwen Code, which appends the name of the server. */
const TEXT_HOST_PREFIX = 'qwen-cli-mcp-client-';

/** Whether the client of a request gets structured content and output schemas. */
export function sendsStructure(mode: StructuredMode, connection: ClientConnection, request: ServerContext): boolean {
  if (mode !== 'auto') return mode === 'always';
  const { name } = describeClient(connection, request);
  return !TEXT_HOSTS.has(name) && !name.startsWith(TEXT_HOST_PREFIX);
}

/** Sender of a request, for limits. */
export interface Caller {
  /**
   * Identifies the principal; without a token, the session or the stdio connection. All HTTP requests without a token and without
   * a session share one key.
   */
  readonly key: string;
  /** Whether other clients may have the same key. True for HTTP requests without a token and without a session. */
  readonly isShared: boolean;
  /** Whether the process may serve other callers at the same time. True over HTTP. */
  readonly hasPeers: boolean;
}

const CALLER = Symbol.for('@org/mcp-decorators/caller');

/** Caller of work that belongs to no request. */
const SERVER: Caller = { key: '', isShared: false, hasPeers: false };

/** Returns the sender of a request. */
export function identifyCaller({ id }: ClientConnection, request: ServerContext): Caller {
  const { http, sessionId } = request;
  if (http === undefined) return { key: sessionId ?? id, isShared: false, hasPeers: false };
  const key = getPrincipalKey(request) ?? sessionId;
  return { key: key ?? 'anonymous', isShared: key === undefined, hasPeers: true };
}

/** Identifies the principal of a request by its token. Returns `undefined` without a token. */
export function getPrincipalKey({ http }: Pick<ServerContext, 'http'>): string | undefined {
  return http?.authInfo && JSON.stringify(getPrincipal(http.authInfo));
}

/** Stores the caller on the signal of a request, which all work for the request receives, for {@link getCaller}. */
export function setCaller(signal: AbortSignal, caller: Caller): void {
  Object.defineProperty(signal, CALLER, { value: caller, configurable: true });
}

/**
 * Returns the caller of the request to which a signal belongs (`RequestContext.signal`).
 * Any other signal belongs to the server itself, unless {@link setCaller} assigned a caller to the signal.
 */
export function getCaller(signal: AbortSignal): Caller {
  const caller: Caller | undefined = Reflect.get(signal, CALLER);
  return caller ?? SERVER;
}

/** Returns the principal that the seals of a request are bound to. All requests without a token share one principal. */
export function getSealOwner({ http }: Pick<ServerContext, 'http'>): string {
  return JSON.stringify(getPrincipal(http?.authInfo));
}

/** Returns the client and the subject of an access token; returns an empty list without a token. */
export function getPrincipal(auth: AuthInfo | undefined): readonly [client?: string, subject?: string] {
  if (auth === undefined) return [];
  const subject: unknown = auth.extra?.['sub'];
  return typeof subject === 'string' ? [auth.clientId, subject] : [auth.clientId];
}
