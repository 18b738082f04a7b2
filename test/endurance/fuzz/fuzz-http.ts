import { request } from 'node:http';
import { connect } from 'node:net';

import { connectUrl, ERAS, startProgram, type RunningProgram } from '@org/mcp-testing';

import { within } from '../support/within.ts';
import type { FuzzReport } from './fuzz-calls.ts';
import type { FuzzedServer } from './fuzzed-servers.ts';
import { hostileMessage } from './hostile-messages.ts';
import { hostileText } from './hostile-values.ts';
import { Place } from './place.ts';
import type { Random } from '../support/random.ts';

const END_TIMEOUT_MS = 20_000;
const ANSWER_TIMEOUT_MS = 30_000;

/** Time in milliseconds after which the client ends a response, which may be a stream without an end. */
const READING_MS = 50;

/** Maximum number of hostile requests between two official clients, which must be served. */
const BETWEEN = 30;

const METHODS = ['POST', 'POST', 'POST', 'POST', 'GET', 'DELETE', 'PUT', 'OPTIONS', 'HEAD', 'TRACE'] as const;
const PATHS = [
  '/mcp',
  '/mcp',
  '/mcp',
  '/mcp?x=1',
  '/',
  '/sse',
  '/messages',
  '/metrics',
  '/health',
  '/%00',
  '//mcp',
  '/mcp/../x',
] as const;
const TYPES = ['application/json', 'application/json', 'text/plain', 'application/json; charset=utf-16', ''] as const;
const ACCEPTED = ['application/json, text/event-stream', 'application/json', 'text/event-stream', '*/*', ''] as const;
const VERSIONS = ['2025-06-18', '2025-11-25', '2026-07-28', '1999-01-01', 'x'] as const;

/**
 * Sends hostile requests over HTTP, some of which are not HTTP and some of which are ended early. Official clients in between
 * must be served, and the server must end by itself after SIGTERM.
 */
export async function fuzzHttp(server: FuzzedServer, random: Random, deadline: number): Promise<FuzzReport> {
  await using place = await Place.create(server);
  await using program = startProgram(place.program(server, ['--http', '0', '--log-level', 'info']));
  const line = await program.stderr.next((each) => each.includes('serves at '));
  const url = /https?:\S+/.exec(line)?.[0] ?? '';
  const problems: string[] = [];
  let sent = 0;
  do {
    const since = Date.now();
    sent += await sendSome(Number(new URL(url).port), random);
    const served = await within(listTools(url, random), ANSWER_TIMEOUT_MS).catch(String);
    if (typeof served !== 'number') problems.push(`an official client is not served: ${served ?? 'no answer'}`);
    const stall = await place.longestStall(since);
    if (stall > 0) problems.push(`a stall of ${stall} ms after ${sent} requests`);
  } while (performance.now() < deadline && problems.length === 0);
  return { sent, problems: [...problems, ...(await findWrongEnd(program)), ...(await place.damage())] };
}

/** Sends some hostile requests at once, and returns their number. */
async function sendSome(port: number, random: Random): Promise<number> {
  const count = 1 + random.below(BETWEEN);
  const sending = Array.from({ length: count }, () => (random.chance(0.1) ? sendBytes(port, random) : sendRequest(port, random)));
  await Promise.all(sending);
  return count;
}

async function findWrongEnd(program: RunningProgram): Promise<readonly string[]> {
  program.kill('SIGTERM');
  const end = await within(program.ended, END_TIMEOUT_MS);
  if (end === undefined) return ['the server does not end after SIGTERM'];
  return [
    ...(end.code === 0 ? [] : [`the server ended with ${end.code}: ${end.stderr.slice(-1000)}`]),
    ...(/ error /.test(end.stderr) ? [`the server logged ${end.stderr.slice(0, 2000)}`] : []),
  ];
}

async function listTools(url: string, random: Random): Promise<number> {
  await using session = await connectUrl(url, { era: random.pick(ERAS) });
  return (await session.toolNames()).length;
}

/** Sends a request with hostile headers and a hostile body. Resolves when the response has ended, or was ended early. */
function sendRequest(port: number, random: Random): Promise<void> {
  const headers = {
    'content-type': random.pick(TYPES),
    accept: random.pick(ACCEPTED),
    'mcp-protocol-version': random.pick(VERSIONS),
    ...(random.chance(0.3) && { 'mcp-session-id': toHeader(hostileText(random)) }),
    ...(random.chance(0.2) && { 'mcp-method': toHeader(hostileText(random)) }),
    ...(random.chance(0.1) && { 'last-event-id': toHeader(hostileText(random)) }),
    ...(random.chance(0.1) && { host: random.pick(['evil.example', '127.0.0.1', '']) }),
    ...(random.chance(0.1) && { origin: random.pick(['https://evil.example', 'null', 'http://localhost']) }),
    ...(random.chance(0.1) && { 'content-encoding': random.pick(['gzip', 'br', 'x']) }),
    ...(random.chance(0.1) && { authorization: toHeader(hostileText(random)) }),
  };
  const method = random.pick(METHODS);
  const body = hostileMessage(random);
  const endsEarly = random.chance(0.1);
  return new Promise((resolve) => {
    const sending = request({ host: '127.0.0.1', port, method, path: random.pick(PATHS), headers }, (response) => {
      response.resume().on('error', () => undefined);
      setTimeout(() => sending.destroy(), READING_MS);
    });
    sending.on('error', () => undefined).on('close', () => resolve());
    sending.setTimeout(ANSWER_TIMEOUT_MS, () => sending.destroy());
    if (method !== 'GET' && method !== 'HEAD' && method !== 'TRACE') sending.write(body);
    if (endsEarly) setTimeout(() => sending.destroy(), random.below(20));
    else sending.end();
  });
}

/** Removes characters that a header cannot contain, and limits the length. */
function toHeader(text: string): string {
  return text.replaceAll(/[^\t\u0020-\u007E]/g, '').slice(0, 4000);
}

/** Sends bytes that are not HTTP, or only the beginning of a request. */
function sendBytes(port: number, random: Random): Promise<void> {
  const bytes = random.pick([
    random.bytes(500),
    Buffer.from('GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n'),
    Buffer.from('POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999999999\r\n\r\n{'),
    Buffer.from('POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFF\r\n'),
    Buffer.from(`GET /${'a'.repeat(100_000)} HTTP/1.1\r\n\r\n`),
    Buffer.from(`POST /mcp HTTP/1.1\r\n${'x: y\r\n'.repeat(5000)}\r\n`),
  ]);
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(bytes);
      setTimeout(() => socket.destroy(), READING_MS);
    });
    socket
      .resume()
      .on('error', () => undefined)
      .on('close', () => resolve());
  });
}
