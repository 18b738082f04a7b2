import { compileServer } from '@org/mcp-decorators';

import { HttpError } from '../http-messages/http-error.ts';
import type { Route } from './router.ts';

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
} as const;

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:3rem auto;padding:0 1rem;color-scheme:light dark}' +
  'code,pre{font-family:ui-monospace,monospace}pre{overflow-x:auto;padding:.75rem;border:1px solid;border-radius:6px}';

const DOCUMENTATION = 'https://github.com/org/mcp/blob/main/docs/operate/http.md';

/**
 * Creates the route of the page at `/` for people who open the address of a service in a browser. It shows the name and the version of each server
 * and how a client connects; it needs no token, and contains no script and no secret.
 *
 * @param servers server objects by path
 * @param publicUrl base URL that clients use. Default: the Host header of the request
 */
export function startPage(servers: Readonly<Record<string, object>>, publicUrl: string | undefined): Route {
  return {
    serve(request, response) {
      const isPageRequest = request.method === 'GET' || request.method === 'HEAD';
      if (!isPageRequest || request.headers.accept?.includes('text/html') !== true) throw new HttpError(404, 'Not found');
      const base = publicUrl?.replace(/\/$/, '') ?? `http://${request.headers.host ?? 'localhost'}`;
      const sections = Object.entries(servers).map(([path, server]) => formatServer(server, `${base}${path}`));
      response.writeHead(200, HEADERS).end(request.method === 'HEAD' ? undefined : formatPage(sections));
    },
  };
}

function formatServer(server: object, url: string): string {
  const { name, version, title = name } = compileServer(server).info;
  const entry = JSON.stringify({ mcpServers: { [name]: { type: 'http', url } } }, undefined, 2);
  return [
    `<h2>${escape(title)}</h2>`,
    `<p>${escape(name)} ${escape(version)}</p>`,
    `<p>Address for clients: <code>${escape(url)}</code></p>`,
    '<p>In Claude Code:</p>',
    `<pre>${escape(`claude mcp add --transport http ${name} ${url}`)}</pre>`,
    '<p>In clients with a configuration file:</p>',
    `<pre>${escape(entry)}</pre>`,
  ].join('\n');
}

function formatPage(sections: readonly string[]): string {
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<title>MCP server</title><style>${STYLE}</style></head><body><main>`,
    '<h1>This address serves MCP clients</h1>',
    '<p>Programs such as Claude Code connect here by the Model Context Protocol. A browser cannot use this address.</p>',
    ...sections,
    `<p><a href="${DOCUMENTATION}">Documentation</a></p>`,
    '</main></body></html>\n',
  ].join('\n');
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
