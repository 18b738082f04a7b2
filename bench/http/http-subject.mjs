import { startForked } from '../clients/forked.mjs';
import { keepOn } from '../measuring/processors.mjs';
import { INITIALIZE, INITIALIZED } from '../clients/requests.mjs';

/**
 * Starts a server in a separate process, which reports its URL. Runs the process on `processor`; on any processor if it is
 * `undefined`.
 */
export async function startHttpServer(file, processor) {
  const server = startForked(new URL(file, import.meta.url));
  keepOn(processor, server.pid);
  const { url } = await server.next();
  return {
    /** Returns the data for the calling process: connections to this server, with or without a session. */
    target({ path, era, session, connections, requestOf }) {
      const to = `${url}${path}`;
      return targetOf({ era, requestOf, routes: Array(connections).fill({ to, ...(session && { openedAt: to }) }) });
    },

    close: () => server.kill(),
  };
}

/**
 * Returns the data for the calling process: the port and the text of a request for each connection. In a route, `to` is
 * the URL that a connection calls. `openedAt` is the URL at which its session is opened; without it, there is no session.
 */
export async function targetOf({ era, requestOf, routes }) {
  const [head, tail] = JSON.stringify(requestOf('1234567')).split('"1234567"');
  const length = Buffer.byteLength(head) + 7 + Buffer.byteLength(tail);
  const headers = { ...HEADERS, 'MCP-Protocol-Version': era, 'Mcp-Method': 'tools/call', 'Mcp-Name': 'echo' };
  const heads = await Promise.all(
    routes.map(async ({ to, openedAt }) => {
      const { pathname, host } = new URL(to);
      const own = openedAt ? { 'Mcp-Session-Id': await openSession(openedAt) } : {};
      return textOf(`POST ${pathname} HTTP/1.1`, { Host: host, ...headers, ...own, 'Content-Length': length });
    }),
  );
  return { ports: routes.map(({ to }) => Number(new URL(to).port)), heads, bodies: [head, tail] };
}

const HEADERS = { Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json' };

/** Opens a session and resolves to its id. */
async function openSession(url) {
  const opened = await post(url, INITIALIZE, {});
  const session = { 'Mcp-Session-Id': opened.headers.get('mcp-session-id') };
  await post(url, INITIALIZED, session);
  return session['Mcp-Session-Id'];
}

async function post(url, message, headers) {
  const response = await fetch(url, { method: 'POST', headers: { ...HEADERS, ...headers }, body: JSON.stringify(message) });
  if (!response.ok) throw new Error(`${url} answered with ${response.status}`);
  await response.text();
  return response;
}

function textOf(line, headers) {
  return `${[line, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join('\r\n')}\r\n\r\n`;
}
