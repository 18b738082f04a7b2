import { Agent, request as ask, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';

import { serveHttp, type HttpService } from '@org/mcp-host';

import { ENVELOPE } from '../../support/wire.ts';
import { initialize, notification, request, toolCall, type Headers } from '../../support/http/http-client.ts';
import { Station } from '../../support/http/station.ts';

/** Sizes of the heap, and counts of the objects that remain after many clients of one kind have connected and disconnected. */
export interface Leftovers {
  readonly what: string;
  readonly count: number;
  /** Size of the used heap in bytes before the clients connected. `heapAfter` is the size after they have disconnected. */
  readonly heapBefore: number;
  readonly heapAfter: number;
  readonly sessions: number;
  readonly listenStreams: number;
  readonly storedEvents: number;
  readonly subscriptions: number;
  /** Growth of the number of timers, sockets and similar resources. */
  readonly resources: number;
}

const PARALLEL = 20;
const REVISION = '2025-11-25';
const URI = { uri: 'station://a' };

const station = new Station();
let agent = new Agent({ keepAlive: true });

await run(Number(process.argv[2]), Number(process.argv[3]));

/** Prints a line of {@link Leftovers} for each kind of client. */
async function run(many: number, streams: number): Promise<void> {
  const service = await serveHttp({ '/mcp': station }, { maxSessions: many + 1000, sessionIdle: 1000, pingInterval: 0 });
  const kinds = [
    { what: 'sessions', count: many, visit: visitSession },
    { what: 'requests', count: many, visit: visitModern },
    { what: 'streams', count: streams, visit: visitStream },
  ];
  // Objects that are created once on first use are not leaks, so clients of each kind connect before the first measurement.
  for (const { count, visit } of kinds) await visitMany(service, Math.min(count, 500), visit);
  for (const { what, count, visit } of kinds) {
    const before = await usage(service);
    await visitMany(service, count, visit);
    const after = await usage(service);
    const leftovers: Leftovers = {
      what,
      count,
      heapBefore: before.heap,
      heapAfter: after.heap,
      ...service.gauges,
      subscriptions: station.subscriptions,
      resources: after.resources - before.resources,
    };
    process.stdout.write(`${JSON.stringify(leftovers)}\n`);
  }
  await service.close();
}

async function visitMany(
  { url }: HttpService,
  count: number,
  visit: (url: string, index: number) => Promise<void>,
): Promise<void> {
  let index = 0;
  const visitor = async (): Promise<void> => {
    while (index < count) {
      index += 1;
      await visit(`${url}/mcp`, index);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, visitor));
}

/** Opens a session and uses it. Half of the sessions are deleted, and the client leaves the other half without a deletion. */
async function visitSession(url: string, index: number): Promise<void> {
  const opened = await post(url, initialize(REVISION));
  await text(opened);
  const headers = { 'mcp-session-id': String(opened.headers['mcp-session-id']), 'mcp-protocol-version': REVISION };
  const messages = [
    notification('notifications/initialized'),
    request(1, 'resources/subscribe', URI),
    request(2, 'tools/call', { name: 'report', arguments: { times: 3 }, _meta: { progressToken: 1 } }),
    toolCall(3, 'say', { text: 'x' }),
  ];
  for (const message of messages) await text(await post(url, message, headers));
  const stream = await send(url, 'GET', headers);
  station.change(URI.uri);
  if (index % 2 === 0) await text(await send(url, 'DELETE', headers));
  stream.destroy();
}

async function visitModern(url: string): Promise<void> {
  const params = { name: 'report', arguments: { times: 3 }, _meta: { ...ENVELOPE, progressToken: 1 } };
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'report' };
  await text(await post(url, request(1, 'tools/call', params), headers));
}

async function visitStream(url: string): Promise<void> {
  const params = { notifications: { resourceSubscriptions: [URI.uri] }, _meta: ENVELOPE };
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' };
  const stream = await post(url, request(1, 'subscriptions/listen', params), headers);
  station.change(URI.uri);
  stream.destroy();
}

function post(url: string, message: object, headers: Headers = {}): Promise<IncomingMessage> {
  return send(url, 'POST', { 'content-type': 'application/json', ...headers }, JSON.stringify(message));
}

function send(url: string, method: string, headers: Headers, body?: string): Promise<IncomingMessage> {
  const given = { accept: 'application/json, text/event-stream', ...headers };
  return new Promise((resolve, reject) => {
    const asked = ask(url, { method, agent, headers: given }, (answer) => resolve(answer.on('error', () => undefined)));
    asked.on('error', reject).end(body);
  });
}

/**
 * Waits until all clients have disconnected and garbage was collected. Returns the size of the used heap in bytes, and the number
 * of active resources.
 */
async function usage(service: HttpService): Promise<{ readonly heap: number; readonly resources: number }> {
  agent.destroy();
  agent = new Agent({ keepAlive: true });
  while (service.gauges.sessions + service.gauges.listenStreams + sockets() > 0) await setTimeout(50);
  for (let round = 0; round < 5; round += 1) {
    globalThis.gc?.();
    await setTimeout(20);
  }
  return { heap: process.memoryUsage().heapUsed, resources: process.getActiveResourcesInfo().length };
}

/** Counts the sockets of both sides, without the listening socket. */
function sockets(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
}
