import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { connect, type Session, type SessionOptions } from '@org/mcp-testing';
import type { Client } from 'pg';
import { afterAll, beforeAll, vi } from 'vitest';

import { loadPg } from '../src/database/load-pg.ts';
import { useApp, type AppDatabase } from './app.ts';
import { fixture, GONE } from './postgres.ts';

/** A database whose functions, triggers and types act on another database, and what can be seen of that from outside. */
export interface Witnessed extends AppDatabase {
  /** Everything that a call may have done, as seen by other connections and in the file system. */
  readonly effects: () => Promise<Readonly<Record<string, unknown>>>;
  /** A client of a server that may write as a role. */
  readonly writing: (role: 'app' | 'superuser', options?: SessionOptions) => Promise<Session>;
  /** A statement with the directory that is watched in place of `{dir}`. */
  readonly inDirectory: (sql: string) => string;
}

const ROWS = `
  select c.oid::regclass, query_to_xml('select * from only ' || c.oid::regclass, true, true, '')
  from pg_class c where relnamespace = 'app'::regnamespace and relkind in ('r', 'S') order by 1`;

const ELSEWHERE = `
  select (select count(*) from hits), (select count(*) from pg_locks where locktype = 'advisory'),
    (select count(*) from pg_stat_activity where application_name = 'dblink')`;

const BUSY = "select from pg_stat_activity where application_name like 'mcp-sql%' and state <> 'idle'";

export function useWitnessed(): Witnessed {
  const database = useApp(fixture('effects.sql'));
  let elsewhere: Client | undefined;
  let listener: Client | undefined;
  let directory = '';
  const heard: string[] = [];
  beforeAll(async () => {
    directory = mkdtempSync(path.join(tmpdir(), 'effects-'));
    // The database server writes there as another user.
    chmodSync(directory, 0o777);
    await database.asSuperuser('create database elsewhere');
    const { host, port, user, password } = database.config('superuser');
    const { Client } = await loadPg();
    elsewhere = new Client({ ...database.config('superuser'), database: 'elsewhere' });
    await elsewhere.connect();
    await elsewhere.query('create table hits (n int)');
    await database.asSuperuser(`
      insert into elsewhere values ('host=${String(host)} port=${String(port)} user=${String(user)} password=${String(password)} dbname=elsewhere');
      create server files foreign data wrapper file_fdw;
      create foreign table app.program (line text) server files options (program 'touch ${directory}/program; echo 1');
      grant select on app.program to app; grant pg_execute_server_program to app`);
    listener = new Client(database.config('superuser'));
    listener.on('notification', ({ channel }) => heard.push(channel));
    await listener.connect();
    await listener.query('listen told');
  });
  afterAll(async () => {
    await elsewhere?.end();
    await listener?.end();
    rmSync(directory, { recursive: true, force: true });
  });
  return {
    ...database,
    inDirectory: (sql) => sql.replaceAll('{dir}', directory),
    writing: (role, options = {}) =>
      connect(
        database.serverAsApp({
          url: role === 'app' ? database.appUrl() : database.url('superuser'),
          allowPrivilegedRole: true,
        }),
        options,
      ),
    effects: async () => {
      // What a call leaves in its session is removed after its answer.
      await vi.waitUntil(async () => (await database.asSuperuser(BUSY)).length === 0, GONE);
      // Notifications come before the answer to a question.
      await listener!.query('select 1');
      const [outside] = (await elsewhere!.query({ text: ELSEWHERE, rowMode: 'array' })).rows;
      const largeObjects = await database.asSuperuser('select count(*) from pg_largeobject_metadata');
      return {
        outside,
        heard: heard.length,
        files: readdirSync(directory),
        largeObjects,
        rows: await database.asSuperuser(ROWS),
      };
    },
  };
}
