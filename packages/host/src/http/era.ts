import type { IncomingMessage } from 'node:http';

import { classifyInboundRequest } from '@modelcontextprotocol/server';

import { headerOf } from './header.ts';

/** Whether the handler of 2026-07-28 answers what was posted, be it with a refusal; the rest belongs to sessions. */
export function isModern(request: IncomingMessage, body: unknown): boolean {
  const version = headerOf(request, 'mcp-protocol-version');
  const asked = { httpMethod: 'POST', body, ...(version !== undefined && { protocolVersionHeader: version }) };
  return classifyInboundRequest(asked).kind !== 'legacy';
}
