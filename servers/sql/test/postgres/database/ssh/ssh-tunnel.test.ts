import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { connect, startProgram, type RunningProgram, type Session } from '@org/mcp-testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { PostgresServer } from '../../../../src/index.ts';
import { failureOf } from '../../../fixtures/failure-of.ts';
import { optionsWith, useDatabase } from '../../../fixtures/postgres.ts';
import { HAS_OPENSSL, makeCertificates, type Certificates } from '../../../fixtures/servers/certificates.ts';
import { NetworkServer } from '../../../fixtures/servers/network-server.ts';
import { Proxy } from '../../../fixtures/servers/proxy.ts';
import { NO_SSHD, SshServer } from '../../../fixtures/servers/ssh-server.ts';

const BIN = fileURLToPath(new URL('../../../../bin/mcp-sql.js', import.meta.url));
const ONE = { sql: 'select 1' };

let ssh: SshServer;
beforeAll(async () => {
  if (NO_SSHD === undefined) ssh = await SshServer.start();
});
afterAll(() => ssh?.[Symbol.asyncDispose]());
beforeEach(() => {
  if (NO_SSHD === undefined) vi.stubEnv('PATH', ssh.path);
});
afterEach(() => vi.unstubAllEnvs());

/** Returns the process ids of the ssh programs of the test. */
function sshProcesses(): readonly number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).trim().split('\n');
  return rows.filter((row) => row.includes(`-F ${ssh.directory}`)).map((row) => Number.parseInt(row, 10));
}

describe.skipIf(NO_SSHD)('a database behind ssh', () => {
  const database = useDatabase({});
  let proxy: Proxy;
  beforeAll(async () => {
    const { host, port } = database.config();
    proxy = await Proxy.to(`${host}/.s.PGSQL.${port}`, (chunk, to) => to.write(chunk));
  });
  afterAll(() => proxy[Symbol.asyncDispose]());

  const url = (port = proxy.port): string => {
    const { user, password } = database.config();
    return `postgres://${user}:${String(password)}@127.0.0.1:${port}/postgres`;
  };
  const open = (given: { ssh: string; url?: string }): Promise<Session> => database.connect({ url: url(), ...given });

  it.each(['bastion', 'persistent'])('is queried through %s, and no process remains', async (target) => {
    {
      await using session = await open({ ssh: target });
      expect(await session.text('query', ONE)).toContain('1 row');
      await Promise.all([1, 2, 3].map(() => session.text('query', ONE)));
      expect(sshProcesses().length).toBeGreaterThan(0);
    }
    expect(sshProcesses()).toEqual([]);
  });

  it('returns results that are larger than the buffers', async () => {
    await using session = await open({ ssh: 'bastion' });
    const sql = "select count(*), sum(length(v)) from (select repeat('x', 1000) v from generate_series(1, 3000) offset 0) t";
    expect(await session.text('query', { sql, format: 'tsv' })).toContain('3000\t3000000');
    expect(await session.text('export', { sql: "select repeat('x', 1000) from generate_series(1, 20000)" })).toContain('20000');
  });

  it('names the way in check', async () => {
    await using server = new PostgresServer(optionsWith({ url: `${url()}?ssh=bastion`, policy: 'off' }));
    await server.open();
    expect(await server.diagnose()).toEqual([
      { subject: 'database postgres', ok: true, detail: expect.stringMatching(/read-only as mcp_ro, through ssh to bastion$/) },
    ]);
  });

  it('cancels a statement through the tunnel', async () => {
    await using session = await open({ ssh: 'bastion' });
    await session.text('query', ONE);
    const stop = new AbortController();
    const stopped = session.client.callTool(
      { name: 'query', arguments: { sql: 'select pg_sleep(60) /* tunnelled */' } },
      { signal: stop.signal },
    );
    const running = async (): Promise<string | null | undefined> =>
      (
        await database.asSuperuser(
          "select count(*) from pg_stat_activity where query like '%* tunnelled%' and wait_event = 'PgSleep'",
        )
      )[0]?.[0];
    await vi.waitUntil(async () => (await running()) === '1');
    stop.abort();
    await expect(stopped).rejects.toThrow();
    await vi.waitUntil(async () => (await running()) === '0');
    expect(await session.text('query', ONE)).toContain('1 row');
  });

  it('is reconnected to by the next call if the tunnel dies during a statement', async () => {
    await using session = await open({ ssh: 'bastion' });
    await session.text('query', ONE);
    const failing = failureOf(session, 'query', { sql: 'select pg_sleep(60) /* lost */' });
    await vi.waitUntil(
      async () =>
        (
          await database.asSuperuser(
            "select count(*) from pg_stat_activity where query like '%* lost%' and wait_event = 'PgSleep'",
          )
        )[0]?.[0] === '1',
    );
    for (const pid of sshProcesses()) process.kill(pid, 'SIGKILL');
    const failed = await failing;
    expect(failed).toMatchObject({ code: 'CONNECTION', data: { reason: 'lost', retryable: true } });
    expect(failed.text).toContain('the ssh tunnel through bastion was lost');
    // The kill also ended the tunnels of idle connections.
    await vi.waitUntil(() => sshProcesses().length === 0);
    expect(await session.text('query', ONE)).toContain('1 row');
  });

  it('is reconnected to if the tunnel of an idle connection died before its end was noticed', async () => {
    await using session = await open({ ssh: 'bastion' });
    await session.text('query', ONE);
    for (const pid of sshProcesses()) process.kill(pid, 'SIGKILL');
    // No event of the processes is handled during this loop, so mcp-sql does not know yet that the tunnels have ended.
    while (sshProcesses().length > 0);
    expect(await session.text('query', ONE)).toContain('1 row');
  });

  it.each([
    ['a host that does not exist', 'nope.invalid', 'ssh_dns', /Could not resolve hostname nope\.invalid/],
    ['a key that sshd does not know', 'stranger', 'ssh_auth', /Permission denied \(publickey\)/],
    ['a host key that is unknown', 'unknown-key', 'ssh_host_key', /Host key verification failed/],
    ['a closed port', 'bastion:1', 'ssh_refused', /connect to host 127\.0\.0\.1 port 1: Connection refused/],
  ])('is reported in one line with the reason of ssh: %s', async (_, target, reason, message) => {
    await using session = await open({ ssh: target });
    const failed = await failureOf(session, 'query', ONE);
    expect(failed).toMatchObject({ code: 'CONNECTION', data: { reason } });
    expect(failed.text).toMatch(message);
    expect(failed.text.split('\n')).toHaveLength(2);
    expect(failed.text).toContain(`the ssh tunnel through ${target} cannot be opened`);
    expect(await failureOf(session, 'list_databases')).toMatchObject({ data: { reason } });
  });

  it('is reported if its port is closed, and asks for TLS through the tunnel', async () => {
    await using session = await open({ ssh: 'bastion', url: url(1) });
    const failed = await failureOf(session, 'query', ONE);
    expect(failed).toMatchObject({ code: 'CONNECTION', data: { reason: 'ssh_forward', retryable: true } });
    expect(failed.text).toContain('Connection refused');
  });

  it('is reported although a ProxyCommand outlives ssh', async () => {
    await using session = await open({ ssh: 'proxied' });
    const failed = await failureOf(session, 'query', ONE);
    expect(failed).toMatchObject({ code: 'CONNECTION', data: { reason: 'ssh_refused' } });
  });

  it('is reported if the program ssh is missing', async () => {
    vi.stubEnv('PATH', '/nonexistent');
    await using session = await open({ ssh: 'bastion' });
    const failed = await failureOf(session, 'query', ONE);
    expect(failed).toMatchObject({ code: 'CONNECTION', data: { reason: 'ssh_missing', retryable: false } });
    expect(failed.text).toContain('install the OpenSSH client');
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)('leaves no ssh process when the server is ended by %s', async (signal) => {
    const stateDir = await mkdtemp(path.join(tmpdir(), 'ssh-state-'));
    onTestFinished(() => rm(stateDir, { recursive: true, force: true }));
    await using program: RunningProgram = startProgram({
      command: process.execPath,
      args: [BIN, url(), '--ssh', 'bastion', '--policy', 'off', '--state-dir', stateDir],
      env: { PATH: ssh.path },
    });
    const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } };
    for (const message of [
      { id: 1, method: 'initialize', params: initialize },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/call', params: { name: 'query', arguments: ONE } },
    ])
      program.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    expect(await program.stdout.next((line) => line.includes('"id":2'))).toContain('1 row');
    expect(sshProcesses().length).toBeGreaterThan(0);
    program.kill(signal);
    await program.ended;
    await vi.waitUntil(() => sshProcesses().length === 0);
  });
});

describe.skipIf(NO_SSHD ?? (HAS_OPENSSL ? undefined : 'openssl is not installed'))('a database with TLS behind ssh', () => {
  let directory = '';
  let made: Certificates;
  let server: NetworkServer;
  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'ssh-tls-'));
    [made, server] = await Promise.all([makeCertificates(directory), NetworkServer.create()]);
    const [certificate, key] = [await server.adopt(made.certificate), await server.adopt(made.key)];
    await server.admit('hostssl all all 127.0.0.1/32 scram-sha-256\n');
    await server.start({ ssl: 'on', ssl_cert_file: certificate, ssl_key_file: key });
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  });

  const open = (host: string, parameters: string): Promise<Session> =>
    connect(
      new PostgresServer(
        optionsWith({ url: server.url({ host, parameters }), ssh: 'bastion', allowPrivilegedRole: true, policy: 'off' }),
      ),
    );

  it.each([
    ['localhost', 'sslmode=verify-full'],
    ['127.0.0.1', 'sslmode=verify-ca'],
    ['127.0.0.1', 'sslmode=prefer'],
  ])('is verified by the name %s with %s', async (host, mode) => {
    await using session = await open(host, `?${mode}&sslrootcert=${made.authority}`);
    const sql = 'select ssl from pg_stat_ssl where pid = pg_backend_pid()';
    expect(await session.text('query', { sql, format: 'tsv' })).toMatch(/^t$/m);
  });

  it('is rejected with verify-full if its certificate has another name', async () => {
    await using session = await open('127.0.0.1', `?sslmode=verify-full&sslrootcert=${made.authority}`);
    const failed = await failureOf(session, 'query', ONE);
    expect(failed).toMatchObject({ code: 'CONNECTION', data: { reason: 'tls' } });
    expect(failed.text).toMatch(/altnames/);
  });
});
