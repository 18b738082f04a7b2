import type { IncomingMessage } from 'node:http';

import { classifyInboundRequest, PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';

import { isRequest } from '../sessions/posted-messages.ts';
import { headerOf } from './header.ts';

/** The first revision without sessions; revisions are dates, and sort like them. */
const FIRST_MODERN = '2026-07-28';

type Era = 'legacy' | 'modern' | 'reject';

/** Who answers what was posted: sessions, or the handler of 2026-07-28, be it with a refusal. */
export function eraOf(request: IncomingMessage, body: unknown): Era {
  // Batches belong to sessions, which limit them; here each of their messages would be looked at, however many there are.
  if (Array.isArray(body)) return 'legacy';
  const version = headerOf(request, 'mcp-protocol-version');
  return plainEra(body, version) ?? classify(body, version);
}

/** Told by where a call names its revision, since whoever answers looks at the rest; `undefined` of what is out of the ordinary. */
function plainEra(body: unknown, version = ''): Era | undefined {
  const params = paramsOfCall(body);
  const isNamed = params && namesRevision(params);
  if (isNamed !== version >= FIRST_MODERN) return undefined;
  return isNamed ? 'modern' : 'legacy';
}

function paramsOfCall(body: unknown): object | undefined {
  if (!isRequest(body) || body.method !== 'tools/call') return undefined;
  if (!('jsonrpc' in body) || body.jsonrpc !== '2.0') return undefined;
  return 'params' in body && isObject(body.params) ? body.params : undefined;
}

function namesRevision(params: object): boolean | undefined {
  if (!('_meta' in params)) return false;
  return isObject(params._meta) && !Array.isArray(params._meta) ? PROTOCOL_VERSION_META_KEY in params._meta : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function classify(body: unknown, version: string | undefined): Era {
  const asked = { httpMethod: 'POST', body, ...(version !== undefined && { protocolVersionHeader: version }) };
  return classifyInboundRequest(asked).kind;
}
