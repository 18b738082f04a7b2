import { describe, expect, test } from 'vitest';

import { RecentTexts } from '../../src/policy/recent-texts.ts';

function recorded(): { readonly texts: RecentTexts<number>; readonly asked: string[] } {
  const asked: string[] = [];
  const texts = new RecentTexts(async (text) => {
    asked.push(text);
    if (text === 'broken') throw new Error('broken');
    return text.length;
  });
  return { texts, asked };
}

describe('what was found out of a text', () => {
  test('is known when the text comes again', async () => {
    const { texts, asked } = recorded();
    expect([await texts.of('select 1'), await texts.of('select 1')]).toEqual([8, 8]);
    expect(asked).toEqual(['select 1']);
  });

  test('is forgotten after many others, the longest unused first', async () => {
    const { texts, asked } = recorded();
    const others = Array.from({ length: 8 }, (_, place) => String(place).repeat(4096));
    await texts.of('old');
    await texts.of('used');
    for (const other of others.slice(1)) await texts.of(other);
    await texts.of('used');
    await texts.of(others[0] ?? '');
    asked.length = 0;
    await texts.of('used');
    await texts.of('old');
    expect(asked).toEqual(['old']);
  });

  test('is found out anew after a failure, and for a very long text', async () => {
    const { texts, asked } = recorded();
    const long = 'x'.repeat(5000);
    for (const text of ['broken', 'broken', long, long]) await texts.of(text).catch(() => undefined);
    expect(asked).toEqual(['broken', 'broken', long, long]);
  });
});
