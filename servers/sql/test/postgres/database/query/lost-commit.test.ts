import { connect as connectSocket, createServer, type Server, type Socket } from 'node:net';

import type { Session } from '@org/mcp-testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { codeOf, useDatabase } from '../../../fixtures/postgres.ts';

const database = useDatabase({
  sql: `
    create role app login password 'app';
    create schema app authorization app;
    alter role app set search_path = app;`,
});

/** Whether the proxy forwards COMMIT before it cuts the connection, and whether it accepts new connections afterwards. */
interface Cut {
  readonly forwarded: boolean;
  readonly reachable: boolean;
}

/** Proxy between mcp-sql and PostgreSQL, which cuts the connection at COMMIT. */
class CuttingProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isCut = false;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async listen(target: string, { forwarded, reachable }: Cut): Promise<CuttingProxy> {
    const server = createServer();
    const proxy = new CuttingProxy(server);
    server.on('connection', (client) => {
      if (proxy.#isCut && !reachable) return void client.destroy();
      const upstream = connectSocket(target);
      for (const socket of [client, upstream]) {
        proxy.#sockets.add(socket);
        socket.on('error', () => undefined);
      }
      client.on('close', () => upstream.destroy());
      upstream.on('close', () => client.destroy());
      client.on('data', (chunk: Buffer) => {
        if (!proxy.#isCut && chunk.includes('COMMIT\0')) return proxy.#cut(client, upstream, forwarded ? chunk : undefined);
        upstream.write(chunk);
      });
      upstream.on('data', (chunk: Buffer) => client.write(chunk));
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => void this.#server.close(resolve));
  }

  #cut(client: Socket, upstream: Socket, commit: Buffer | undefined): void {
    this.#isCut = true;
    upstream.removeAllListeners('data');
    if (commit === undefined) return void client.destroy();
    upstream.write(commit);
    // The answer shows that PostgreSQL has committed; the proxy does not forward the answer.
    upstream.once('data', () => client.destroy());
  }
}

let proxy: CuttingProxy;
let session: Session;

async function cut(how: Cut): Promise<void> {
  const { searchParams, pathname } = new URL(database.url().replace('@/', '@socket/'));
  proxy = await CuttingProxy.listen(`${searchParams.get('host')}/.s.PGSQL.${searchParams.get('port')}`, how);
  const url = `postgres://app:app@127.0.0.1:${proxy.port}${pathname}?sslmode=disable`;
  session = await database.connect({ url, writable: true }, undefined, { answers: { elicitation: { confirm: true } } });
}

beforeEach(async () => {
  await database.asSuperuser('drop table if exists app.kept; set role app; create table app.kept (id int); reset role');
});

afterEach(async () => {
  await session[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
});

async function countKept(): Promise<string> {
  return String((await database.asSuperuser('select count(*) from app.kept'))[0]?.[0]);
}

const INSERT = { sql: 'insert into kept values (1)' };

describe('a connection that is lost during COMMIT', () => {
  it('is a success after the commit, because the database reports the outcome', async () => {
    await cut({ forwarded: true, reachable: true });
    expect(await session.text('execute', INSERT)).toBe('INSERT: 1 row, committed');
    expect(await countKept()).toBe('1');
  });

  it('is an error before the commit, and the error reports that nothing was changed', async () => {
    await cut({ forwarded: false, reachable: true });
    expect(await session.fails('execute', INSERT)).toMatch(
      /^CONNECTION: the connection was lost before the change was made\nnothing was changed/,
    );
    expect(await countKept()).toBe('0');
  });

  it.each([
    [true, '1'],
    [false, '0'],
  ])('is reported as an unknown outcome if the database is unreachable (committed: %s)', async (forwarded, count) => {
    await cut({ forwarded, reachable: false });
    const { _meta, content } = await session.client.callTool({ name: 'execute', arguments: INSERT });
    expect(_meta).toMatchObject({ error: { code: 'OUTCOME_UNKNOWN', data: { transaction: expect.stringMatching(/^\d+$/) } } });
    expect(content).toMatchObject([
      { text: expect.stringMatching(/whether the change was made is not known\nquery select pg_xact_status\('\d+'\)/) },
    ]);
    expect(await countKept()).toBe(count);
  });
});

describe('a connection that is lost before COMMIT', () => {
  it('fails with CONNECTION and is rolled back', async () => {
    await cut({ forwarded: false, reachable: true });
    const sql = 'insert into kept select 1 from pg_terminate_backend(pg_backend_pid())';
    expect(await codeOf(session, 'execute', { sql })).toBe('CONNECTION');
    expect(await countKept()).toBe('0');
  });
});
