import { describe, expect, it, vi } from 'vitest';

import { Result } from '../src/result.ts';

describe('a Result', () => {
  it('of a body has the body and its note in one text, and the facts apart', () => {
    const result = Result.text('body', { note: 'cut at line 3', facts: { lines: 3 } });
    expect(result).toMatchObject({ texts: ['body\n[cut at line 3]'], structured: undefined, facts: { lines: 3 } });
  });

  it('of a body has the links that go with it', () => {
    const links = [{ uri: 'a:b', name: 'b' }];
    expect(Result.text('body', { links })).toMatchObject({ texts: ['body'], links });
  });

  it('of a body alone is one text', () => {
    expect(Result.text('body')).toMatchObject({ texts: ['body'], structured: undefined, facts: undefined });
  });

  it('of structured content has the text that is shown instead of its JSON', () => {
    expect(Result.of({ words: 2 }, 'two words')).toMatchObject({ texts: ['two words'], structured: { words: 2 } });
  });

  it('is recognised by another copy of the class, and what only looks like one is not', async () => {
    vi.resetModules();
    const copy = await import('../src/result.ts');
    expect(copy.Result).not.toBe(Result);
    expect(copy.Result.is(Result.text('body'))).toBe(true);
    expect([{ texts: ['body'], structured: undefined, facts: undefined }, null, 'body'].map(Result.is)).toEqual([
      false,
      false,
      false,
    ]);
  });
});
