import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { UsageError } from '@org/mcp-host';
import { connect, type Session } from '@org/mcp-testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { PostgresServer } from '../../src/index.ts';
import { optionsWith } from '../postgres.ts';
import { HAS_OPENSSL, makeCertificates, type Certificates } from './certificates.ts';
import { failureOf, openDescriptors } from './failure-of.ts';
import { NetworkServer } from './network-server.ts';

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
  // Nothing of the user's own: ~/.postgresql/root.crt changes what the modes mean.
  vi.stubEnv('HOME', path.join(directory, 'home'));
});
afterEach(() => vi.unstubAllEnvs());

function open(url: string, maxConnections = 10): Promise<Session> {
  return connect(new PostgresServer(optionsWith({ url, allowPrivilegedRole: true, policy: 'off', maxConnections })));
}

describe.skipIf(!HAS_OPENSSL)('a server that encrypts, with OpenSSL to make its certificates,', () => {
  it.each([
    ['no mode', () => '', '127.0.0.1'],
    ['prefer', () => '?sslmode=prefer', '127.0.0.1'],
    ['require', () => '?sslmode=require', '127.0.0.1'],
    ['require and its authority', () => `?sslmode=require&sslrootcert=${made.authority}`, '127.0.0.1'],
    ['verify-ca', () => `?sslmode=verify-ca&sslrootcert=${made.authority}`, '127.0.0.1'],
    ['verify-full', () => `?sslmode=verify-full&sslrootcert=${made.authority}`, 'localhost'],
    ['channel binding', () => '?sslmode=require&channel_binding=require', '127.0.0.1'],
  ])('is spoken to encrypted with %s', async (_, parameters, host) => {
    await using session = await open(encrypted.url({ host, parameters: parameters() }));
    expect(await session.text('query', IS_ENCRYPTED)).toMatch(/^t$/m);
  });

  it.each([
    ['another authority, verify-ca', () => `?sslmode=verify-ca&sslrootcert=${strange.authority}`, '127.0.0.1', /certificate/],
    ['another authority, require', () => `?sslmode=require&sslrootcert=${strange.authority}`, '127.0.0.1', /certificate/],
    ['another name, verify-full', () => `?sslmode=verify-full&sslrootcert=${made.authority}`, '127.0.0.1', /altnames/],
    ['no authority, verify-full', () => '?sslmode=verify-full', 'localhost', /sslrootcert=FILE/],
    ['the authorities of the machine', () => '?sslrootcert=system', 'localhost', /certificate/],
    [
      'an authority that is no file',
      () => '?sslmode=verify-ca&sslrootcert=/nope',
      'localhost',
      /sslrootcert cannot be read: ENOENT/,
    ],
  ])('is refused for %s', async (_, parameters, host, message) => {
    await using session = await open(encrypted.url({ host, parameters: parameters() }));
    const failed = await failureOf(session, 'query', { sql: 'select 1' });
    expect(failed).toMatchObject({ code: 'CONNECTION', data: { reason: 'tls', retryable: false } });
    expect(failed.text).toMatch(message);
  });

  it.each([
    ['a certificate that is not trusted', () => `?sslmode=verify-ca&sslrootcert=${strange.authority}`],
    ['a mode that it does not take', () => '?sslmode=disable'],
  ])('keeps nothing of the calls that fail by %s, and neither do we', async (_, parameters) => {
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

  it('and takes nothing else is not spoken to in clear', async () => {
    await using session = await open(encrypted.url({ parameters: '?sslmode=disable' }));
    expect(await failureOf(session, 'query', { sql: 'select 1' })).toMatchObject({
      code: 'CONNECTION',
      data: { reason: 'auth' },
    });
  });

  it('takes the authority from where libpq looks for it', async () => {
    const home = path.join(directory, 'home', '.postgresql');
    await mkdir(home, { recursive: true });
    await writeFile(path.join(home, 'root.crt'), 'no certificate');
    await using session = await open(encrypted.url({ parameters: '?sslmode=require' }));
    expect(await failureOf(session, 'query', { sql: 'select 1' })).toMatchObject({ data: { reason: 'tls' } });
    await rm(path.join(directory, 'home'), { recursive: true });
  });

  it('stops a statement that is cancelled', async () => {
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

describe.skipIf(!HAS_OPENSSL)('a server that speaks TLS, but does not admit who comes by it,', () => {
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

  it.each(['', '?sslmode=prefer'])('is spoken to in clear with "%s", at once too', async (parameters) => {
    await using session = await open(clear!.url({ parameters }));
    const answers = await Promise.all([1, 2, 3, 4].map(() => session.text('query', IS_ENCRYPTED)));
    for (const answer of answers) expect(answer).toMatch(/^f$/m);
  });

  it('is refused by require', async () => {
    await using session = await open(clear!.url({ parameters: '?sslmode=require' }));
    expect(await failureOf(session, 'query', { sql: 'select 1' })).toMatchObject({
      code: 'CONNECTION',
      data: { reason: 'auth' },
    });
  });

  it('is not sent a password in clear that was wrong by TLS', async () => {
    await startFor('hostssl', 'hostnossl all all 127.0.0.1/32 trust');
    await using session = await open(clear!.url({ parameters: '?sslmode=prefer' }).replace(/:[^:@]*@/, ':wrong@'));
    const failed = await failureOf(session, 'query', { sql: 'select 1' });
    expect(failed.text).toContain('password authentication failed');
    await startFor('hostnossl');
  });

  it('and not in clear either, is asked by TLS first the next time', async () => {
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

describe.skipIf(!HAS_OPENSSL)('a server that does not encrypt', () => {
  it.each(['', '?sslmode=prefer', '?sslmode=disable'])('is spoken to in clear with "%s"', async (parameters) => {
    await using session = await open(plain.url({ parameters }));
    expect(await session.text('query', IS_ENCRYPTED)).toMatch(/^f$/m);
  });

  it.each(['require', 'verify-full&sslrootcert=system'])('is refused by %s', async (mode) => {
    await using session = await open(plain.url({ parameters: `?sslmode=${mode}` }));
    expect(await failureOf(session, 'query', { sql: 'select 1' })).toMatchObject({ code: 'CONNECTION', data: { reason: 'tls' } });
  });
});

describe('a mode', () => {
  it.each([
    ['that is none', '?sslmode=hunter2'],
    ['that libpq has, but is of no use', '?sslmode=allow'],
    ['too weak for authorities that everybody trusts', '?sslmode=require&sslrootcert=system'],
  ])('%s is refused at the start', async (_, parameters) => {
    const server = new PostgresServer(optionsWith({ url: `postgres://u:p@h/db${parameters}` }));
    await expect(server.open()).rejects.toThrow(UsageError);
  });
});
