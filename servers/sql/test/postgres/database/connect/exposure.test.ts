import { networkInterfaces } from 'node:os';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { PostgresServer } from '../../../../src/index.ts';
import { NetworkServer } from '../../../fixtures/servers/network-server.ts';
import { optionsWith } from '../../../fixtures/postgres.ts';

/**
 * An IPv4 address of this machine that does not belong to the loopback interface; `undefined` if the machine has no such address.
 */
const ADDRESS = Object.values(networkInterfaces())
  .flat()
  .find((found) => found?.family === 'IPv4' && !found.internal)?.address;

async function collectWarnings(url: string): Promise<readonly string[]> {
  const warnings: string[] = [];
  await using server = new PostgresServer(optionsWith({ url }));
  const ignore = (): void => undefined;
  await server.open({ info: ignore, audit: ignore, warning: (text) => void warnings.push(text) });
  return warnings;
}

describe('the log', () => {
  it.each([
    ['db.example.com/shop', /^database shop: connections may be unencrypted/],
    ['db.example.com/shop?sslmode=prefer', /sslmode=verify-full$/],
    ['10.0.0.1/shop?sslmode=disable', /^database shop: connections are not encrypted/],
    ['[fd00::1]/shop', /may be unencrypted/],
    ['localhost.example.com/shop', /may be unencrypted/],
  ])('warns about %s', async (target, text) => {
    expect(await collectWarnings(`postgres://u:secret@${target}`)).toEqual([expect.stringMatching(text)]);
    expect((await collectWarnings(`postgres://u:secret@${target}`)).join()).not.toContain('secret');
  });

  it.each([
    'localhost/shop',
    '127.0.0.1/shop?sslmode=disable',
    '[::1]/shop',
    '/shop?host=/var/run/postgresql',
    'db.example.com/shop?sslmode=require',
    'db.example.com/shop?sslrootcert=system',
  ])('does not warn about %s', async (target) => {
    expect(await collectWarnings(`postgres://u:secret@${target}`)).toEqual([]);
  });
});

describe.skipIf(ADDRESS === undefined)('check, with a non-loopback address of this machine,', () => {
  let server: NetworkServer;
  beforeAll(async () => {
    server = await NetworkServer.create();
    await server.admit('host all all all scram-sha-256\n');
    await server.start({ listen_addresses: `${ADDRESS}` });
  });
  afterAll(() => server?.[Symbol.asyncDispose]());

  it('reports that the database is readable and that the connection may be unencrypted', async () => {
    const url = server.url({ host: `${ADDRESS}` });
    await using reading = new PostgresServer(optionsWith({ url, allowPrivilegedRole: true }));
    await reading.open();
    expect(await reading.diagnose()).toMatchObject([
      { ok: true, detail: expect.stringMatching(/^PostgreSQL .*may be unencrypted/) },
    ]);
  });
});
