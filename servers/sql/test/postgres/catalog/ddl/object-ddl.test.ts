import type { Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { fixture, useDatabase } from '../../../fixtures/postgres.ts';

const database = useDatabase({ sql: fixture('catalog.sql') });

/** All objects of the fixture, in an order in which they can be created again. */
const OBJECTS = [
  'made."Mood"',
  'made.pair',
  'made.positive',
  'made.span',
  'made.counter',
  'made.twice',
  'made.nothing',
  'made.touched',
  'made.product',
  'made.owners',
  'made."Odd ""Table"""',
  'made.empty',
  'made.typed',
  'made.ancestor',
  'made.heir',
  'made.events',
  'made.events_2024',
  'made.events_2025',
  'made.events_2025_0',
  'made."events rest"',
  'made.outside',
  'made.seen',
  'made.seen_twice',
  'made.counted',
  'made.filled',
] as const;

/** Query for the catalog entries of these objects, independent of the tool `describe`. */
const STATE = fixture('catalog-state.sql');

const INCLUDE = ['columns', 'constraints', 'indexes', 'triggers', 'policies', 'ddl'];

async function describeAll(session: Session, objects: readonly string[]): Promise<readonly Record<string, unknown>[]> {
  const results = await Promise.all(objects.map((object) => session.call('describe', { object, include: INCLUDE })));
  return results.map(({ structuredContent }) => Object.fromEntries(Object.entries(structuredContent ?? {})));
}

/** Partitions that are dropped and then created by their own SQL. */
const PARTITIONS = ['made.events_2024', 'made."events rest"', 'made.events_2025_0', 'made.events_2025'] as const;

async function recreate(session: Session, objects: readonly string[]): Promise<readonly Record<string, unknown>[]> {
  const before = await describeAll(session, objects);
  const [schema] = await describeAll(session, ['made']);
  await database.asSuperuser('drop schema made cascade');
  for (const { ddl } of [{ ddl: schema?.['ddl'] }, ...before]) {
    expect(typeof ddl).toBe('string');
    // The list contains each partition after its table, with indexes and constraints of its own, so the SQL of partitions is
    // removed here.
    await database.asSuperuser(String(ddl).replace(/\n-- partitions.*$/s, ''));
  }
  return before;
}

describe('the SQL that creates an object', () => {
  it('creates an equal object with the same description', { timeout: 20_000 }, async () => {
    await using session = await database.connect();
    const stateBefore = await database.asSuperuser(STATE);
    const before = await recreate(session, OBJECTS);
    const after = await describeAll(session, OBJECTS);
    for (const [place, description] of after.entries()) expect(description).toEqual(before[place]);
    const lines = (rows: typeof stateBefore): readonly string[] => rows.map((row) => row.join(': '));
    expect(lines(await database.asSuperuser(STATE))).toEqual(lines(stateBefore));
  });

  it('creates a partition with its own indexes and constraints', async () => {
    await using session = await database.connect();
    for (const partition of PARTITIONS) {
      const [before] = await describeAll(session, [partition]);
      await database.asSuperuser(`drop table ${partition}`);
      await database.asSuperuser(String(before?.['ddl']));
      expect(await describeAll(session, [partition])).toEqual([before]);
    }
  });
});
