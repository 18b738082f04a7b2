import type { Era, Session, SessionOptions } from '@org/mcp-testing';
import { beforeEach } from 'vitest';

import { useApp, type AppDatabase } from './app.ts';

export { CONFIRMS } from './app.ts';

/** What a fresh table of five stocked things is made by. */
export const STOCK = `
  set role app; set search_path = app;
  drop table if exists parts, stock cascade;
  create table stock (id int primary key, name text not null, count int not null check (count >= 0));
  insert into stock select g, 'thing ' || g, g from generate_series(1, 5) g;
  reset role; reset search_path;`;

/** A database in which the role `app` owns a schema `app`, and in it before each test a table `stock`. */
export interface StockDatabase extends AppDatabase {
  /** A client of a server that may write as `app`. */
  readonly writing: (era?: Era, options?: Omit<SessionOptions, 'era'>) => Promise<Session>;
  /** What `stock` counts, by id. */
  readonly counts: () => Promise<string>;
  /** How many backends sleep. */
  readonly sleeping: () => Promise<string>;
}

export function useStock(): StockDatabase {
  const database = useApp();
  beforeEach(async () => {
    await database.asSuperuser(STOCK);
  });
  const value = async (sql: string): Promise<string> => String((await database.asSuperuser(sql))[0]?.[0]);
  return {
    ...database,
    writing: (era, options = {}) => database.connect({ url: database.appUrl(), writable: true }, era, options),
    counts: () => value("select string_agg(count::text, ' ' order by id) from app.stock"),
    sleeping: () => value("select count(*) from pg_stat_activity where wait_event = 'PgSleep' and pid <> pg_backend_pid()"),
  };
}
