import { describe, expect, it } from 'vitest';

import { DocumentCache } from '../../src/documents/document-cache.ts';

/** Returns a function that reads documents through a cache, and the list of the documents that were extracted. */
function reader(characters = 1): { readonly extracted: string[]; readonly read: (key: string) => Promise<string> } {
  const cache = new DocumentCache();
  const extracted: string[] = [];
  const read = async (key: string): Promise<string> => {
    const [part] = await cache.read(key, async () => {
      extracted.push(key);
      return [{ text: key.repeat(characters) }];
    });
    return part?.text.slice(0, key.length) ?? '';
  };
  return { extracted, read };
}

describe('a cache of documents', () => {
  it('extracts a document once while it is kept', async () => {
    const { extracted, read } = reader();
    for (const key of ['a', 'a', 'b', 'a']) expect(await read(key)).toBe(key);
    expect(extracted).toEqual(['a', 'b']);
  });

  it('keeps the four documents that were used last', async () => {
    const { extracted, read } = reader();
    for (const key of ['a', 'b', 'c', 'd', 'a', 'e', 'a', 'b']) await read(key);
    expect(extracted).toEqual(['a', 'b', 'c', 'd', 'e', 'b']);
  });

  it('keeps at most 32 Mi characters', async () => {
    const { extracted, read } = reader(20_000_000);
    for (const key of ['a', 'b', 'b', 'a']) await read(key);
    expect(extracted).toEqual(['a', 'b', 'a']);
  });

  it('keeps no failure', async () => {
    const cache = new DocumentCache();
    await expect(cache.read('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await cache.read('a', async () => [{ text: 'whole' }])).toEqual([{ text: 'whole' }]);
  });
});
