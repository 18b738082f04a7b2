import type { IncomingMessage, ServerResponse } from 'node:http';

const EXPOSED = 'Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate';
const METHODS = 'GET, POST, DELETE';
const PREFLIGHT_SECONDS = '7200';

/** Allows a page to read the response; its origin must have been checked before. */
export function allowOrigin({ headers: { origin } }: IncomingMessage, response: ServerResponse): void {
  if (origin === undefined || origin === '') return;
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Expose-Headers', EXPOSED);
  response.setHeader('Vary', 'Origin');
}

/** Answers the preflight request of an allowed page. Allows every header, because tools may define headers. */
export function answerPreflight({ headers }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Allow', METHODS);
  response.setHeader('Access-Control-Allow-Methods', METHODS);
  response.setHeader('Access-Control-Allow-Headers', headers['access-control-request-headers'] ?? '');
  response.setHeader('Access-Control-Max-Age', PREFLIGHT_SECONDS);
  response.writeHead(204).end();
}
