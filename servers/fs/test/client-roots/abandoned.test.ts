import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { InMemoryTransport, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { serveConnection, serveHttp } from '@org/mcp-host';
import { startProgram } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { FilesystemServer } from '../../src/index.ts';
import { mcpFs } from '../fixtures/mcp-fs.ts';
import { place } from '../fixtures/rooted.ts';
import { optionsWith } from '../fixtures/temporary.ts';

/** Number of times that a client sends each request and abandons it. */
const CALLS = 200;

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'forgetful', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': { roots: { listChanged: true } },
};

interface Asking {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

interface Answer {
  readonly result?: {
    readonly resultType?: string;
    readonly inputRequests?: object;
    readonly contents?: readonly { readonly text: string }[];
  };
}

/** A client of protocol version 2026-07-28 that never repeats a call with the requested roots. */
interface Forgetful extends AsyncDisposable {
  send(request: Asking): Promise<Answer>;
}

function messageOf({ method, params }: Asking, id: number): JSONRPCMessage {
  return { jsonrpc: '2.0', id, method, params: { ...params, _meta: ENVELOPE } };
}

async function overStdio(root: string): Promise<Forgetful> {
  const program = startProgram(mcpFs(root));
  let id = 0;
  return {
    async send(request) {
      id += 1;
      program.stdin.write(`${JSON.stringify(messageOf(request, id))}\n`);
      return JSON.parse(await program.stdout.next());
    },
    async [Symbol.asyncDispose]() {
      program.stdin.end();
      expect(await program.ended).toMatchObject({ code: 0 });
    },
  };
}

async function overHttp(root: string): Promise<Forgetful> {
  const server = new FilesystemServer(optionsWith({ directories: [root] }));
  await server.open();
  const service = await serveHttp({ '/mcp': server });
  return {
    async send(request) {
      const { method, params } = request;
      const name = params['name'] ?? params['uri'];
      const response = await fetch(`${service.url}/mcp`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': method,
          'mcp-name': String(name),
        },
        body: JSON.stringify(messageOf(request, 1)),
      });
      const answer: Answer = JSON.parse(await response.text());
      return answer;
    },
    async [Symbol.asyncDispose]() {
      expect(service.gauges).toMatchObject({ sessions: 0, listenStreams: 0, storedEvents: 0 });
      await service.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

const TRANSPORTS = { stdio: overStdio, http: overHttp };

function requestsFor(root: string): readonly Asking[] {
  const file = path.join(root, 'open/a.txt');
  return [
    { method: 'tools/call', params: { name: 'read_text_file', arguments: { path: file } } },
    { method: 'resources/read', params: { uri: pathToFileURL(file).href } },
    { method: 'prompts/get', params: { name: 'review_file', arguments: { path: file } } },
  ];
}

const QUESTION = { resultType: 'input_required', inputRequests: { client_roots: { method: 'roots/list' } } };

describe.each(['stdio', 'http'] as const)('a client of 2026-07-28 over %s that never reports its roots', (transport) => {
  it('leaves no pending call, for any number of calls', async () => {
    const root = await place();
    await using client = await TRANSPORTS[transport](root);
    for (const request of requestsFor(root))
      for (let call = 0; call < CALLS; call += 1) expect((await client.send(request)).result).toMatchObject(QUESTION);
    const { result } = await client.send({ method: 'resources/read', params: { uri: 'server://info' } });
    expect(JSON.parse(result?.contents?.[0]?.text ?? '')).toMatchObject({
      calls: {
        inFlight: 1,
        failed: 0,
        tool: { read_text_file: { asked: CALLS } },
        resource: { file: { asked: CALLS } },
        prompt: { review_file: { asked: CALLS } },
      },
    });
  });
});

describe('a client of 2026-07-28 that never reports its roots', () => {
  it('leaves no timer and no state', async () => {
    const root = await place();
    await using server = new FilesystemServer(optionsWith({ directories: [root] }));
    await server.open();
    const [client, transport] = InMemoryTransport.createLinkedPair();
    let running = 0;
    const observer = () => ((running += 1), () => void (running -= 1));
    serveConnection(server, transport, { observer, timeoutMs: 60_000 });
    await client.start();
    const timers = timersNow();
    for (const request of requestsFor(root)) {
      const answer = new Promise<JSONRPCMessage>((resolve) => (client.onmessage = resolve));
      await client.send(messageOf(request, 1));
      expect(await answer).toMatchObject({ result: QUESTION });
      expect(await answer).not.toHaveProperty('result.requestState');
      expect([running, timersNow()]).toEqual([0, timers]);
    }
    await client.close();
  });
});

function timersNow(): number {
  return process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
}
