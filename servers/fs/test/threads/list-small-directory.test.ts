import { Roots } from '@org/mcp-roots';
import { describe, expect, it } from 'vitest';

import { listSmallDirectory, type SmallListing } from '../../src/threads/list-small-directory.ts';
import type { ListQuery } from '../../src/walk/list-entries.ts';
import { unpackListed } from '../../src/walk/listed-batch.ts';
import { treeOf } from '../fixtures/tree-of.ts';

const QUERY: ListQuery = {
  matches: undefined,
  hidden: true,
  ignored: undefined,
  sortBy: 'name',
  offset: 0,
  limit: 1000,
  maxScanned: 10_000,
  facts: true,
  totals: false,
};

async function list(count: number, given: Partial<ListQuery> = {}): Promise<SmallListing | undefined> {
  const names = Array.from({ length: count }, (_, index) => `file-${String(index).padStart(3, '0')}`);
  const root = await treeOf(Object.fromEntries(names.map((name) => [name, 'text'])));
  await using roots = await Roots.open([root]);
  await using directory = await roots.openDirectory('.');
  return await listSmallDirectory(directory, { ...QUERY, ...given }, 10_000);
}

describe('a list without another thread', () => {
  it('contains up to 500 entries', async () => {
    const listing = await list(500);
    const entries = listing?.batches.flatMap(unpackListed) ?? [];
    expect(entries).toHaveLength(500);
    expect(entries[7]).toMatchObject({ name: 'file-007', type: 'file', size: 4 });
    expect(listing?.summary).toMatchObject({ total: 500, isComplete: true });
  });

  it('contains the entries of a page', async () => {
    const listing = await list(20, { offset: 5, limit: 2, facts: false });
    expect(listing?.batches.flatMap(unpackListed)).toEqual([
      { name: 'file-005', type: 'file' },
      { name: 'file-006', type: 'file' },
    ]);
    expect(listing?.summary.total).toBe(20);
  });

  it('ends at the limit of the operator', async () => {
    const listing = await list(20, { maxScanned: 10 });
    expect(listing?.summary).toMatchObject({ total: 10, isComplete: false });
  });

  it.each([
    ['of more than 500 entries', 501, {}],
    ['with a glob', 2, { matches: '*.txt' }],
    ['with ignore rules', 2, { ignored: [] }],
  ])('is not made %s', async (_, count, given) => {
    expect(await list(count, given)).toBeUndefined();
  });
});
