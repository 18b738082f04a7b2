import type { ResourceUpdates, Session } from '@org/mcp-testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { HttpClient, messageOf, notification, request, textOf, toolCall } from '../../support/http/http-client.ts';
import { HAS_POSTGRES, startPostgres } from './postgres.ts';
import { HAS_REDIS, startRedis } from './redis.ts';
import { Replicas } from './replicas.ts';
import { NOTE } from './several-server.ts';

const BUSES = [
  { name: 'Redis (needs redis-server)', isInstalled: HAS_REDIS, startBus: startRedis },
  { name: 'PostgreSQL (needs postgresql-15)', isInstalled: HAS_POSTGRES, startBus: startPostgres },
];

/** A client, and the updates that it has received. */
interface Subscriber {
  readonly session: Session;
  readonly updates: ResourceUpdates;
}

describe.each(BUSES)(
  'four processes with shared sessions on $name, behind a proxy without sticky routing,',
  ({ isInstalled, startBus }) => {
    describe.skipIf(!isInstalled)('with all processes running,', () => {
      let bus: Awaited<ReturnType<typeof startBus>>;
      let replicas: Replicas;

      beforeAll(async () => {
        bus = await startBus();
        replicas = await start(bus.url);
      });
      afterAll(async () => {
        await replicas[Symbol.asyncDispose]();
        await bus[Symbol.asyncDispose]();
      });

      /** Opens a session in the first process. Returns a client of the session that sends its requests to the second process. */
      async function openInFirst(): Promise<HttpClient> {
        const [first, second] = replicas.processes;
        return (await HttpClient.open(first!.url, { capabilities: { elicitation: {} } })).at(second!.url);
      }

      it('run all calls of a session in the process that opened the session', async () => {
        await using session = await replicas.connect('legacy');
        const before = replicas.proxy.served.length;
        const pids = [];
        for (let call = 0; call < 5; call += 1) pids.push(await session.text('where_am_i'));
        expect(new Set(pids).size).toBe(1);
        expect(new Set(replicas.proxy.served.slice(before)).size).toBe(4);
      });

      it('notify each of 12 subscribers in all processes once of each change', async () => {
        const subscribers = await subscribe(replicas, 12);
        expect(new Set(await Promise.all(subscribers.map(({ session }) => session.text('where_am_i')))).size).toBe(4);
        for (let count = 1; count <= 3; count += 1) {
          await change(replicas, subscribers);
          // If a process sent an update twice, this count would be too high, at the latest after the next change.
          expect(subscribers.map(({ updates }) => updates.count)).toEqual(subscribers.map(() => count));
        }
        await close(subscribers);
      });

      it('continue a stream of the other process', async () => {
        const client = await openInFirst();
        const lost = new AbortController();
        const stream = await client.stream('slow', 'wait', {}, { signal: lost.signal });
        const prime = await stream.next();
        lost.abort();
        const resumed = await client.resume(prime?.id);
        expect(await resumed.message()).toMatchObject({ method: 'notifications/message' });
        await client.post(notification('notifications/cancelled', { requestId: 'slow' }));
        expect(await resumed.rest()).toEqual([]);
      });

      it('cancel a call of the other process', async () => {
        const client = await openInFirst();
        const before = Number(await client.call('log'));
        const stream = await client.stream('slow', 'wait');
        await stream.message();
        await client.post(notification('notifications/cancelled', { requestId: 'slow' }));
        await stream.rest();
        await vi.waitFor(async () => expect(Number(await client.call('log'))).toBe(before + 1));
      });

      it('pass the answer to a question on to the process that asked', async () => {
        const client = await openInFirst();
        const stream = await client.stream(1, 'confirm');
        const question = await stream.message();
        expect(question).toMatchObject({ method: 'elicitation/create' });
        await client.post({ jsonrpc: '2.0', id: question.id, result: { action: 'accept', content: { ok: true } } });
        expect(textOf(await stream.message())).toMatch(/^accept in \d+$/);
      });

      it('accept the answer to a question of the other process without a session, once', async () => {
        await using session = await replicas.connect('modern');
        for (let call = 0; call < 4; call += 1) expect(await session.text('confirm')).toMatch(/^accept in \d+$/);
      });

      it('end a session for all processes', async () => {
        const client = await openInFirst();
        expect(await client.end()).toBe(200);
        for (const { url } of replicas.processes) {
          const response = await client.at(url).post(request(1, 'ping'));
          expect([response.status, await response.text()]).toEqual([404, expect.stringContaining('Unknown session')]);
        }
      });

      it('answer 404 for a session that no process has opened', async () => {
        const client = await openInFirst();
        const response = await client.post(request(1, 'ping'), { headers: { 'mcp-session-id': 'x'.repeat(5000) } });
        expect(response.status).toBe(404);
      });

      it('reject a second stream of a session with 409, and another protocol version with 400', async () => {
        const client = await openInFirst();
        const stream = await client.listen();
        expect((await client.get()).status).toBe(409);
        expect((await client.post(request(1, 'ping'), { headers: { 'mcp-protocol-version': '2025-06-18' } })).status).toBe(400);
        await stream[Symbol.asyncDispose]();
      });

      it('reject a request that names another owner with 421, instead of forwarding it again', async () => {
        const client = await openInFirst();
        const response = await client.post(request(1, 'ping'), { headers: { 'mcp-session-owner': 'x' } });
        expect(response.status).toBe(421);
      });
    });

    describe.skipIf(!isInstalled)('after a process was killed,', () => {
      it('continue its sessions in the other processes, with their subscriptions', async () => {
        await using bus = await startBus();
        await using replicas = await start(bus.url);
        const subscribers = await subscribe(replicas, 8);
        await change(replicas, subscribers);
        const victim = await subscribers[0]!.session.text('where_am_i');
        const owners = await Promise.all(subscribers.map(({ session }) => session.text('where_am_i')));
        await replicas.kill(victim, 'SIGKILL');
        // A client whose session was continued is notified, because it may have missed changes.
        const orphans = subscribers.filter((_, index) => owners[index] === victim);
        await Promise.all(orphans.map(({ updates }) => updates.next()));
        const pids = await Promise.all(subscribers.map(({ session }) => session.text('where_am_i')));
        expect(pids).not.toContain(victim);
        await change(replicas, subscribers);
        expect(orphans.map(({ updates }) => updates.count)).toEqual(orphans.map(() => 3));
        await close(subscribers);
      });

      it('answer its calls with an error when their client resumes them, and notify the client of possible changes', async () => {
        await using bus = await startBus();
        await using replicas = await start(bus.url);
        const [first, second, third] = replicas.processes;
        const opened = await HttpClient.open(first!.url);
        const client = opened.at(second!.url);
        await client.post(request('level', 'logging/setLevel', { level: 'error' }));
        await client.post(request('note', 'resources/subscribe', { uri: NOTE }));
        const stream = await client.stream('slow', 'wait');
        const standalone = await client.listen();
        const primes = [await stream.next(), await standalone.next()];
        await replicas.kill(String(first!.program.pid), 'SIGKILL');
        await expect(stream.rest()).rejects.toThrow();

        const elsewhere = opened.at(third!.url);
        const resumed = await elsewhere.resume(primes[0]?.id);
        expect(await resumed.messages()).toEqual([
          {
            jsonrpc: '2.0',
            id: 'slow',
            error: { code: -32_603, message: expect.stringContaining('The process that ran this request has ended') },
          },
        ]);
        const listening = await client.resume(primes[1]?.id);
        const missed = [await listening.message(), await listening.message(), await listening.message()];
        expect(missed.map(({ method, params }) => params?.['uri'] ?? method)).toEqual([
          'notifications/tools/list_changed',
          'notifications/resources/list_changed',
          NOTE,
        ]);
        // The log level is the one that the client has set: a message of the level info is not sent.
        const response = await elsewhere.post(toolCall(3, 'log'));
        expect(response.headers.get('content-type')).toBe('application/json');
        expect(textOf(await messageOf(response))).toBe('0');
      });

      it('take a session over once, although several processes receive requests for it', async () => {
        await using bus = await startBus();
        await using replicas = await start(bus.url);
        const [first, ...others] = replicas.processes;
        const client = await HttpClient.open(first!.url);
        await replicas.kill(String(first!.program.pid), 'SIGKILL');
        const calls = [...others, ...others, ...others].map(({ url }, index) =>
          client.at(url).post(toolCall(index, 'where_am_i')).then(messageOf).then(textOf),
        );
        expect(new Set(await Promise.all(calls)).size).toBe(1);
      });
    });

    describe.skipIf(!isInstalled)('after a process was terminated,', () => {
      it('continue its sessions', async () => {
        await using bus = await startBus();
        await using replicas = await start(bus.url);
        const [first, second] = replicas.processes;
        const client = await HttpClient.open(first!.url);
        await replicas.kill(String(first!.program.pid), 'SIGTERM');
        expect(await client.at(second!.url).call('where_am_i')).toBe(String(second!.program.pid));
      });
    });

    describe.skipIf(!isInstalled)('without the server of the bus,', () => {
      it('serve the sessions that they have, and reject others with 503', async () => {
        const bus = await startBus();
        await using replicas = await start(bus.url);
        const [first, second] = replicas.processes;
        const client = await HttpClient.open(first!.url);
        await bus[Symbol.asyncDispose]();
        await first!.program.stderr.next((line) => line.includes('lost the connection to the bus'));
        await second!.program.stderr.next((line) => line.includes('lost the connection to the bus'));
        expect(await client.call('where_am_i')).toBe(String(first!.program.pid));
        expect(await (await HttpClient.open(first!.url)).call('where_am_i')).toBe(String(first!.program.pid));
        const response = await client.at(second!.url).post(request(1, 'ping'));
        expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
      });
    });
  },
);

function start(bus: string): Promise<Replicas> {
  return Replicas.start({ keys: ['a', 'a', 'a', 'a'], bus, routing: 'in turn', flags: ['--shared-sessions'] });
}

/** Opens sessions, each with the stream for notifications and a subscription. */
async function subscribe(replicas: Replicas, count: number): Promise<readonly Subscriber[]> {
  return await Promise.all(
    Array.from({ length: count }, async () => {
      const session = await replicas.connect('legacy');
      return { session, updates: await session.subscribe(NOTE) };
    }),
  );
}

/** Changes the resource, and waits until all subscribers are notified. */
async function change(replicas: Replicas, subscribers: readonly Subscriber[]): Promise<void> {
  await using changer = await replicas.connect('modern');
  await changer.text('change');
  await Promise.all(subscribers.map(({ updates }) => updates.next()));
}

async function close(subscribers: readonly Subscriber[]): Promise<void> {
  await Promise.all(subscribers.map(({ session }) => session[Symbol.asyncDispose]()));
}
