import type { IncomingMessage } from 'node:http';

import { classifyInboundRequest } from '@modelcontextprotocol/server';

import { headerOf } from './header.ts';

/** Who answers what was posted: sessions, or the handler of 2026-07-28, be it with a refusal. */
export function eraOf(request: IncomingMessage, body: unknown): 'legacy' | 'modern' | 'reject' {
  // Batches belong to sessions, which limit them; here each of their messages would be looked at, however many there are.
  if (Array.isArray(body)) return 'legacy';
  const version = headerOf(request, 'mcp-protocol-version');
  const asked = { httpMethod: 'POST', body, ...(version !== undefined && { protocolVersionHeader: version }) };
  return classifyInboundRequest(asked).kind;
}
