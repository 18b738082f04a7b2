import { describe, expect, test } from 'vitest';

import { TextCache } from '../../../../src/postgres/policy/parse/text-cache.ts';

function recorded(): { readonly texts: TextCache<number>; readonly asked: string[] } {
  const asked: string[] = [];
  const texts = new TextCache(async (text) => {
    asked.push(text);
    if (text === 'broken') throw new Error('broken');
    return text.length;
  });
  return { texts, asked };
}

describe('the result for a text', () => {
  test('is returned from the cache for the same text', async () => {
    const { texts, asked } = recorded();
    expect([await texts.getOrCompute('select 1'), await texts.getOrCompute('select 1')]).toEqual([8, 8]);
    expect(asked).toEqual(['select 1']);
  });

  test('is evicted after many others, least recently used first', async () => {
    const { texts, asked } = recorded();
    const others = Array.from({ length: 8 }, (_, place) => String(place).repeat(4096));
    await texts.getOrCompute('old');
    await texts.getOrCompute('used');
    for (const other of others.slice(1)) await texts.getOrCompute(other);
    await texts.getOrCompute('used');
    await texts.getOrCompute(others[0] ?? '');
    asked.length = 0;
    await texts.getOrCompute('used');
    await texts.getOrCompute('old');
    expect(asked).toEqual(['old']);
  });

  test('is computed again after a failure and for a very long text', async () => {
    const { texts, asked } = recorded();
    const long = 'x'.repeat(5000);
    for (const text of ['broken', 'broken', long, long]) await texts.getOrCompute(text).catch(() => undefined);
    expect(asked).toEqual(['broken', 'broken', long, long]);
  });
});
