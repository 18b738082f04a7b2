import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { ModelDatabase } from '../../../src/postgres/indexes/model/model-database.ts';
import type { ModelRelation, ModelSchema } from '../../../src/postgres/indexes/model/read-schema.ts';

const RELATION: ModelRelation = {
  schema: 'public',
  name: 't',
  sql: 'public.t',
  ddl: 'create table public.t (id int)',
  stored: true,
  pages: 100,
  relpages: 100,
  reltuples: 10_000,
  relallvisible: 0,
};
const SCHEMA: ModelSchema = { setup: [], relations: [RELATION], indexes: [], statistics: '[]', settings: '{}', maxRelations: 3 };
const STATEMENT = { sql: 'select * from public.t where id = 5', params: [], generic: false };

/** Plans the statement in a model with the schema. */
async function plan(schema: ModelSchema, signal = new AbortController().signal): Promise<string> {
  await using model = await ModelDatabase.create(schema, 30_000, signal);
  await model.addCandidates([], signal);
  return await model.explain(STATEMENT, [], signal);
}

/** Makes the test create its temporary directories in a new directory. Resolves to a function that lists that directory. */
async function useTemporaryDirectory(): Promise<() => Promise<readonly string[]>> {
  const before = process.env['TMPDIR'];
  const directory = await mkdtemp(path.join(tmpdir(), 'm-'));
  // If the tests run as root, the server runs as another user, who must be able to enter this directory.
  await chmod(directory, 0o711);
  process.env['TMPDIR'] = directory;
  onTestFinished(async () => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    await rm(directory, { recursive: true, force: true });
  });
  return () => readdir(directory);
}

describe('the model of a database', () => {
  it('plans with the size and statistics of the database, and leaves no files', async () => {
    const list = await useTemporaryDirectory();
    const json = await plan(SCHEMA);
    // The cost is that of reading 100 pages and comparing 10,000 rows.
    expect(json).toContain('"Total Cost":225');
    expect(await list()).toEqual([]);
  });

  it('leaves no files if the call is aborted', async () => {
    const list = await useTemporaryDirectory();
    await expect(plan(SCHEMA, AbortSignal.abort(new Error('gave up')))).rejects.toThrow('gave up');
    expect(await list()).toEqual([]);
  });

  it.each([
    ['a program', "copy (select 1) to program 'true'", /^permission denied to COPY to or from an external program/],
    ['a file', "copy (select 1) to '/tmp/x'", /^permission denied to COPY to a file/],
    ['a second statement', 'create schema a; create schema b', /cannot insert multiple commands/],
    ['another role', 'set role postgres', /^permission denied to set role/],
    [
      'an event trigger',
      'create event trigger e on ddl_command_end execute function pg_catalog.now()',
      /^permission denied to create event trigger/,
    ],
    ['a C function', "create function f() returns int language c as 'libc', 'system'", /^permission denied for language c/],
  ])('rejects a schema with %s', async (_, statement, error) => {
    const list = await useTemporaryDirectory();
    const hostile = { ...SCHEMA, setup: [statement] };
    await expect(plan(hostile)).rejects.toThrow(error);
    expect(await list()).toEqual([]);
  });

  it.each([
    [
      'too many relations',
      { ...SCHEMA, relations: Array.from({ length: 4 }, () => RELATION) },
      'more tables, views and partitions would be copied than --max-copied-tables allows, 3',
    ],
    ['too large tables', { ...SCHEMA, relations: [{ ...RELATION, pages: 2 ** 30 }] }, 'the tables are larger than 4 TiB'],
  ])('rejects %s', async (_, schema, error) => {
    await expect(plan(schema)).rejects.toThrow(error);
  });
});
