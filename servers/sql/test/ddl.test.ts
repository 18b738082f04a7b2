import type { Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { fixture, useDatabase } from './postgres.ts';

const database = useDatabase({ sql: fixture('catalog.sql') });

/** Everything that the fixture makes, in an order in which it can be made again. */
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

/** Everything that the catalogs hold of it, apart from how it is told. */
const STATE = fixture('catalog-state.sql');

const INCLUDE = ['columns', 'constraints', 'indexes', 'triggers', 'policies', 'ddl'];

async function described(session: Session, objects: readonly string[]): Promise<readonly Record<string, unknown>[]> {
  const results = await Promise.all(objects.map((object) => session.call('describe', { object, include: INCLUDE })));
  return results.map(({ structuredContent }) => Object.fromEntries(Object.entries(structuredContent ?? {})));
}

/** Partitions, each made by its own SQL after it was dropped. */
const PARTITIONS = ['made.events_2024', 'made."events rest"', 'made.events_2025_0', 'made.events_2025'] as const;

async function remade(session: Session, objects: readonly string[]): Promise<readonly Record<string, unknown>[]> {
  const before = await described(session, objects);
  const [schema] = await described(session, ['made']);
  await database.asSuperuser('drop schema made cascade');
  for (const { ddl } of [{ ddl: schema?.['ddl'] }, ...before]) {
    expect(typeof ddl).toBe('string');
    // The partitions follow, each with what it has of its own.
    await database.asSuperuser(String(ddl).replace(/\n-- partitions.*$/s, ''));
  }
  return before;
}

describe('the SQL that makes an object', () => {
  it('makes the same object again, which is described in the same way', { timeout: 20_000 }, async () => {
    await using session = await database.connect();
    const stateBefore = await database.asSuperuser(STATE);
    const before = await remade(session, OBJECTS);
    const after = await described(session, OBJECTS);
    for (const [place, description] of after.entries()) expect(description).toEqual(before[place]);
    const lines = (rows: typeof stateBefore): readonly string[] => rows.map((row) => row.join(': '));
    expect(lines(await database.asSuperuser(STATE))).toEqual(lines(stateBefore));
  });

  it('makes a partition with what it has of its own', async () => {
    await using session = await database.connect();
    for (const partition of PARTITIONS) {
      const [before] = await described(session, [partition]);
      await database.asSuperuser(`drop table ${partition}`);
      await database.asSuperuser(String(before?.['ddl']));
      expect(await described(session, [partition])).toEqual([before]);
    }
  });
});
