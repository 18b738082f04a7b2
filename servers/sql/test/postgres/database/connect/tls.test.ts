import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { UsageError } from '@org/mcp-host';
import { connect, type Session } from '@org/mcp-testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { PostgresServer } from '../../../../src/index.ts';
import { optionsWith } from '../../../fixtures/postgres.ts';
import { HAS_OPENSSL, makeCertificates, type Certificates } from '../../../fixtures/servers/certificates.ts';
import { failureOf, openDescriptors } from '../../../fixtures/failure-of.ts';
import { NetworkServer } from '../../../fixtures/servers/network-server.ts';

const IS_ENCRYPTED = { sql: 'select ssl from pg_stat_ssl where pid = pg_backend_pid()', format: 'tsv' };

let directory = '';
let made: Certificates;
let strange: Certificates;
let encrypted: NetworkServer;
let plain: NetworkServer;

beforeAll(async () => {
  if (!HAS_OPENSSL) return;
  directory = await mkdtemp(path.join(tmpdir(), 'tls-'));
  await mkdir(path.join(directory, 'strange'));
  [made, strange, encrypted, plain] = await Promise.all([
    makeCertificates(directory),
    makeCertificates(path.join(directory, 'strange')),
    NetworkServer.create(),
    NetworkServer.create(),
  ]);
  const [certificate, key] = [await encrypted.adopt(made.certificate), await encrypted.adopt(made.key)];
  await encrypted.admit('hostssl all all 127.0.0.1/32 scram-sha-256\n');
  await Promise.all([encrypted.start({ ssl: 'on', ssl_cert_file: certificate, ssl_key_file: key }), plain.start()]);
});
afterAll(async () => {
  await encrypted?.[Symbol.asyncDispose]();
  await plain?.[Symbol.asyncDispose]();
  await rm(directory, { recursive: true, force: true });
});

beforeEach(async () => {
  // The test needs an empty home directory, because ~/.postgresql/root.crt changes the meaning of the modes.
  vi.stubEnv('HOME', path.join(directory, 'home'));
});
afterEach(() => vi.unstubAllEnvs());

function open(url: string, maxConnections = 10): Promise<Session> {
  return connect(new PostgresServer(optionsWith({ url, allowPrivilegedRole: true, policy: 'off', maxConnections })));
}

describe.skipIf(!HAS_OPENSSL)('a server with TLS', () => {
  it.each([
    ['no sslmode', () => '', '127.0.0.1'],
    ['prefer', () => '?sslmode=prefer', '127.0.0.1'],
    ['require', () => '?sslmode=require', '127.0.0.1'],
    ['require and its root certificate', () => `?sslmode=require&sslrootcert=${made.authority}`, '127.0.0.1'],
    ['verify-ca', () => `?sslmode=verify-ca&sslrootcert=${made.authority}`, '127.0.0.1'],
    ['verify-full', () => `?sslmode=verify-full&sslrootcert=${made.authority}`, 'localhost'],
    ['channel binding', () => '?sslmode=require&channel_binding=require', '127.0.0.1'],
  ])('is connected to with encryption for %s', async (_, parameters, host) => {
    await using session = await open(encrypted.url({ host, parameters: parameters() }));
    expect(await session.text('query', IS_ENCRYPTED)).toMatch(/^t$/m);
  });

  it.each([
    ['another authority, verify-ca', () => `?sslmode=verify-ca&sslrootcert=${strange.authority}`, '127.0.0.1', /certificate/],
    ['another authority, require', () => `?sslmode=require&sslrootcert=${strange.authority}`, '127.0.0.1', /certificate/],
    ['another name, verify-full', () => `?sslmode=verify-full&sslrootcert=${made.authority}`, '127.0.0.1', /altnames/],
    ['no authority, verify-full', () => '?sslmode=verify-full', 'localhost', /sslrootcert=FILE/],
    ['the root certificates of the machine', () => '?sslrootcert=system', 'localhost', /certificate/],
    [
      'a missing root certificate file',
      () => '?sslmode=verify-ca&sslrootcert=/nope',
      'localhost',
      /sslrootcert cannot be read: ENOENT/,
    ],
  ])('is rejected for %s', async (_, parameters, host, message) => {
    await using session = await open(encrypted.url({ host, parameters: parameters() }));
    const failed = await failureOf(session, 'query', { sql: 'select 1' });
    expect(failed).toMatchObject({ code: 'CONNECTION', data: { reason: 'tls', retryable: false } });
    expect(failed.text).toMatch(message);
  });

  it.each([
    ['an untrusted certificate', () => `?sslmode=verify-ca&sslrootcert=${strange.authority}`],
    ['an sslmode that the server rejects', () => '?sslmode=disable'],
  ])('leaks no session and no socket when calls fail because of %s', async (_, parameters) => {
    await using session = await open(encrypted.url({ parameters: parameters() }));
    await using watching = await open(encrypted.url(), 1);
    const sessions = { sql: 'select count(*) from pg_stat_activity where backend_type = $$client backend$$', format: 'tsv' };
    await failureOf(session, 'query', { sql: 'select 1' });
    const before = await watching.text('query', sessions);
    const descriptors = await openDescriptors();
    await Promise.all(Array.from({ length: 20 }, () => failureOf(session, 'query', { sql: 'select 1' })));
    await vi.waitFor(async () => expect(await openDescriptors()).toBeLessThanOrEqual(descriptors));
    await vi.waitFor(async () => expect(await watching.text('query', sessions)).toBe(before));
  });

  it('is not connected to without encryption if it requires TLS', async () => {
    await using session = await open(encrypted.url({ parameters: '?sslmode=disable' }));
    expect(await failureOf(session, 'query', { sql: 'select 1' })).toMatchObject({
      code: 'CONNECTION',
      data: { reason: 'auth' },
    });
  });

  it("is verified with the root certificate at libpq's default path", async () => {
    const home = path.join(directory, 'home', '.postgresql');
    await mkdir(home, { recursive: true });
    await writeFile(path.join(home, 'root.crt'), 'no certificate');
    await using session = await open(encrypted.url({ parameters: '?sslmode=require' }));
    expect(await failureOf(session, 'query', { sql: 'select 1' })).toMatchObject({ data: { reason: 'tls' } });
    await rm(path.join(directory, 'home'), { recursive: true });
  });

  it('stops a cancelled statement', async () => {
    await using session = await open(encrypted.url({ parameters: '?sslmode=require' }));
    const stop = new AbortController();
    const stopped = session.client.callTool(
      { name: 'query', arguments: { sql: 'select pg_sleep(60)' } },
      { signal: stop.signal },
    );
    const sleeping = async (): Promise<string> =>
      session.text('query', { sql: "select 'asleep: ' || count(*) from pg_stat_activity where wait_event = 'PgSleep'" });
    await vi.waitFor(async () => expect(await sleeping()).toContain('asleep: 1'));
    stop.abort();
    await expect(stopped).rejects.toThrow();
    await vi.waitFor(async () => expect(await sleeping()).toContain('asleep: 0'));
  });
});

describe.skipIf(!HAS_OPENSSL)('a server with TLS whose pg_hba.conf rejects encrypted connections', () => {
  let clear: NetworkServer | undefined;
  let files: Readonly<Record<string, string>> = {};
  const startFor = async (type: string, ...rules: readonly string[]): Promise<void> => {
    await clear!.stop();
    const rule = `${type} all all ${type === 'local' ? '' : '127.0.0.1/32'} scram-sha-256`;
    await clear!.admit(`${[rule, ...rules].join('\n')}\n`);
    await clear!.start({ ssl: 'on', ...files });
  };
  beforeAll(async () => {
    clear = await NetworkServer.create();
    files = { ssl_cert_file: await clear.adopt(made.certificate), ssl_key_file: await clear.adopt(made.key) };
    await startFor('hostnossl');
  });
  afterAll(() => clear?.[Symbol.asyncDispose]());

  it.each(['', '?sslmode=prefer'])(
    'is connected to without encryption for "%s", even by concurrent calls',
    async (parameters) => {
      await using session = await open(clear!.url({ parameters }));
      const answers = await Promise.all([1, 2, 3, 4].map(() => session.text('query', IS_ENCRYPTED)));
      for (const answer of answers) expect(answer).toMatch(/^f$/m);
    },
  );

  it('is rejected with sslmode=require', async () => {
    await using session = await open(clear!.url({ parameters: '?sslmode=require' }));
    expect(await failureOf(session, 'query', { sql: 'select 1' })).toMatchObject({
      code: 'CONNECTION',
      data: { reason: 'auth' },
    });
  });

  it('does not receive a wrong password again without encryption', async () => {
    await startFor('hostssl', 'hostnossl all all 127.0.0.1/32 trust');
    await using session = await open(clear!.url({ parameters: '?sslmode=prefer' }).replace(/:[^:@]*@/, ':wrong@'));
    const failed = await failureOf(session, 'query', { sql: 'select 1' });
    expect(failed.text).toContain('password authentication failed');
    await startFor('hostnossl');
  });

  it('is connected to with TLS first by the next call, if it also rejected an unencrypted connection', async () => {
    await using session = await open(clear!.url({ parameters: '?sslmode=prefer' }));
    await startFor('local');
    for (const sql of ['select 1', 'select 2'])
      expect(await failureOf(session, 'query', { sql })).toMatchObject({
        code: 'CONNECTION',
        data: { reason: 'auth' },
      });
    await startFor('host');
    expect(await session.text('query', IS_ENCRYPTED)).toMatch(/^t$/m);
    await startFor('hostnossl');
  });
});

describe.skipIf(!HAS_OPENSSL)('a server without TLS', () => {
  it.each(['', '?sslmode=prefer', '?sslmode=disable'])('is connected to without encryption for "%s"', async (parameters) => {
    await using session = await open(plain.url({ parameters }));
    expect(await session.text('query', IS_ENCRYPTED)).toMatch(/^f$/m);
  });

  it.each(['require', 'verify-full&sslrootcert=system'])('is rejected with sslmode=%s', async (mode) => {
    await using session = await open(plain.url({ parameters: `?sslmode=${mode}` }));
    expect(await failureOf(session, 'query', { sql: 'select 1' })).toMatchObject({ code: 'CONNECTION', data: { reason: 'tls' } });
  });
});

describe('an sslmode', () => {
  it.each([
    ['does not exist', '?sslmode=hunter2'],
    ['is supported by libpq only', '?sslmode=allow'],
    ['is too weak for sslrootcert=system', '?sslmode=require&sslrootcert=system'],
  ])('is rejected at the start if it %s', async (_, parameters) => {
    const server = new PostgresServer(optionsWith({ url: `postgres://u:p@h/db${parameters}` }));
    await expect(server.open()).rejects.toThrow(UsageError);
  });
});
