import { startPostgres, psql } from './postgres.mjs';

/** Number of rows of the long table. */
export const ROWS = 1_000_000;
/** Number of tables of the wide database, each with ten columns. */
export const TABLES = 5000;

const LONG = `
  create table events as
  select g::bigint as id, 'user-' || g % 50000 as account, (g * 37 % 100000) / 100.0 as amount,
    timestamptz '2025-01-01 00:00:00+00' + g * interval '1 second' as happened_at
  from generate_series(1, ${ROWS}) g;
  alter table events add primary key (id);
  create role reader login;
  grant select on events to reader;
  analyze events`;

const WIDE = `
  do $do$ begin
    for t in 1..${TABLES} loop
      execute format($sql$
        create table table_%s (id int primary key, a text, b numeric(10, 2), c timestamptz, d jsonb, e int not null, f text, g bool, h date, i int references table_1)
      $sql$, t);
      if t % 500 = 0 then commit; end if;
    end loop;
    grant select on all tables in schema public to reader;
  end $do$`;

/**
 * Starts a PostgreSQL for the measurements, with the table `events` in its first database and many tables in another
 * one. The role `reader` reads both databases.
 */
export async function makeGround() {
  const postgres = await startPostgres();
  try {
    psql(postgres.url(), ...LONG.split(';'));
    psql(postgres.url(), 'create database wide');
    psql(postgres.url('wide'), 'set max_parallel_workers_per_gather = 0', WIDE, 'analyze');
    const urlOf = (database = 'postgres') => postgres.url(database).replace('postgres:unused', 'reader:unused');
    return { ...postgres, superuserUrl: postgres.url(), url: urlOf(), wideUrl: urlOf('wide') };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}
