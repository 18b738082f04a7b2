import { expect } from 'vitest';

import type { Area } from '../client/area.ts';
import { LISTS, listOf, pagesOf, type ListMethod } from '../client/reading.ts';

const METHODS = Object.keys(LISTS) as readonly ListMethod[];
const LONG: readonly ListMethod[] = ['tools/list', 'resources/list', 'prompts/list'];
const CURSORS = ['', 'nothing', '5', 'eyJmcm9tIjo1fQ==', 'x'.repeat(10_000), '\u0000'];

const CACHED = [
  ['server/discover', {}, 'public', 60_000],
  ['tools/list', {}, 'private', 60_000],
  ['prompts/list', {}, 'public', 60_000],
  ['resources/list', {}, 'public', 60_000],
  ['resources/templates/list', {}, 'public', 60_000],
  ['resources/read', { uri: 'protocol://text' }, 'private', 0],
] as const;

const MARKED = [
  ['tools/list', 'echo'],
  ['resources/list', 'json'],
  ['resources/templates/list', 'item'],
  ['prompts/list', 'review'],
] as const;

export const lists: Area = (test) => {
  for (const [method, name] of MARKED)
    test(`includes the _meta of an entry: ${method}`, ['base.meta-own'], async ({ client }) => {
      const entry = (await listOf(client, method)).find((listed) => listed.name === name);
      expect(entry).toMatchObject({ _meta: { 'com.example/mark': { level: 1 } } });
    });

  for (const method of LONG)
    test(
      `sends a list in pages, each entry once, the last page without a cursor: ${method}`,
      ['pagination.pages', 'pagination.end'],
      async ({ client }) => {
        const pages = await pagesOf(client, method);
        expect(pages.length).toBeGreaterThan(1);
        const names = (await listOf(client, method)).map(({ name }) => name);
        expect(new Set(names).size).toBe(names.length);
        expect(pages.at(-1)).not.toHaveProperty('nextCursor');
      },
    );

  test('returns the same page for the same cursor', ['pagination.stable'], async ({ client }) => {
    const { nextCursor: cursor } = await client.result('tools/list');
    const [once, again] = [await client.result('tools/list', { cursor }), await client.result('tools/list', { cursor })];
    expect(again.tools).toEqual(once.tools);
  });

  for (const method of METHODS)
    test(`rejects invalid cursors: ${method}`, ['pagination.invalid'], async ({ client }) => {
      for (const cursor of CURSORS) expect(await client.error(method, { cursor })).toMatchObject({ code: -32_602 });
    });

  test('rejects the cursor of another list', ['pagination.invalid'], async ({ client }) => {
    const { nextCursor: cursor } = await client.result('tools/list');
    expect(await client.error('prompts/list', { cursor })).toMatchObject({ code: -32_602 });
  });

  test(
    'returns the same lists to every client, regardless of earlier requests',
    ['tools.list-same', 'resources.list-same', 'prompts.list-same'],
    async ({ client, served }) => {
      await using other = await served.connect({ capabilities: {} });
      for (const method of METHODS) expect(await listOf(other, method)).toEqual(await listOf(client, method));
    },
  );

  for (const [method, params, cacheScope, ttlMs] of CACHED)
    test(`returns how long clients may cache the result: ${method}`, ['caching.hints'], async ({ client }) => {
      expect(await client.result(method, params)).toMatchObject({ cacheScope, ttlMs });
    });

  test('returns the same cache scope for all pages of a list', ['caching.pages'], async ({ client }) => {
    for (const method of METHODS)
      for (const page of await pagesOf(client, method))
        expect(page).toMatchObject({ cacheScope: method === 'tools/list' ? 'private' : 'public' });
  });

  test('returns no cache hints with a result that requires input', ['caching.not-interim'], async ({ client }) => {
    const interim = await client.result('resources/read', { uri: 'protocol://asked' });
    expect(interim).toMatchObject({ resultType: 'input_required' });
    expect(interim).not.toHaveProperty('ttlMs');
    expect(interim).not.toHaveProperty('cacheScope');
  });
};
