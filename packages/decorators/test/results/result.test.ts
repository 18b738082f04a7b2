import { describe, expect, it, vi } from 'vitest';

import { Result } from '../../src/results/result.ts';

describe('a Result', () => {
  it('of a body has the body and its note in one text, and facts separately', () => {
    const result = Result.text('body', { note: 'cut at line 3', facts: { lines: 3 } });
    expect(result).toMatchObject({ texts: ['body\n[cut at line 3]'], structured: undefined, facts: { lines: 3 } });
  });

  it('of a body has its links', () => {
    const links = [{ uri: 'a:b', name: 'b' }];
    expect(Result.text('body', { links })).toMatchObject({ texts: ['body'], links });
  });

  it('of a body without options is one text', () => {
    expect(Result.text('body')).toMatchObject({ texts: ['body'], structured: undefined, facts: undefined });
  });

  it('of structured content has the text that replaces its JSON', () => {
    expect(Result.of({ words: 2 }, 'two words')).toMatchObject({ texts: ['two words'], structured: { words: 2 } });
  });

  it('is recognised by another copy of the class, unlike an object with the same properties', async () => {
    vi.resetModules();
    const copy = await import('../../src/results/result.ts');
    expect(copy.Result).not.toBe(Result);
    expect(copy.Result.is(Result.text('body'))).toBe(true);
    expect([{ texts: ['body'], structured: undefined, facts: undefined }, null, 'body'].map(Result.is)).toEqual([
      false,
      false,
      false,
    ]);
  });
});
