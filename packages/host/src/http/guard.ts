import type { IncomingMessage, ServerResponse } from 'node:http';

import { validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';

import { Refusal } from './refusal.ts';

/** Which names a server answers to, and whose pages may call it; without ports, IPv6 addresses in brackets. */
export interface GuardOptions {
  /** `*` allows every name. */
  readonly allowedHosts: readonly string[];
  /** Host names of pages, or `scheme://*` for all of a scheme that is not http. */
  readonly allowedOrigins: readonly string[];
}

const EXPOSED = 'Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate';
const ALLOWED_METHODS = 'GET, POST, DELETE';
const PREFLIGHT_SECONDS = '7200';

/**
 * Refuses requests by a host name that is not the server's own, as a page sends whose name was bound to this address, and requests
 * of pages that are not allowed.
 *
 * @throws Refusal 403
 */
export function assertAllowed(
  { headers: { host, origin } }: IncomingMessage,
  { allowedHosts, allowedOrigins }: GuardOptions,
): void {
  const named = allowedHosts.includes('*') || validateHostHeader(host, [...allowedHosts]).ok;
  if (!named) throw new Refusal(403, 'The Host header names a host that is not allowed (--allowed-hosts)');
  if (!validateOriginHeader(origin, [...allowedOrigins]).ok)
    throw new Refusal(403, 'The Origin header names a site that is not allowed (--allowed-origins)');
}

/** Lets an allowed page read the response. */
export function allowOrigin({ headers: { origin } }: IncomingMessage, response: ServerResponse): void {
  if (origin === undefined || origin === '') return;
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Expose-Headers', EXPOSED);
  response.setHeader('Vary', 'Origin');
}

/** Answers a browser that asks what an allowed page may send: any header, since tools may name some of their own. */
export function answerPreflight({ headers }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Access-Control-Allow-Methods', ALLOWED_METHODS);
  response.setHeader('Access-Control-Allow-Headers', headers['access-control-request-headers'] ?? '');
  response.setHeader('Access-Control-Max-Age', PREFLIGHT_SECONDS);
  response.writeHead(204).end();
}
