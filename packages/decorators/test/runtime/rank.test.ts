import { describe, expect, it } from 'vitest';

import { rank } from '../../src/runtime/rank.ts';

describe('a ranking', () => {
  it.each<readonly [string, readonly string[], string, readonly string[]]>([
    ['puts what begins with the text first', ['xab', 'ab'], 'ab', ['ab', 'xab']],
    ['puts a word that begins with it second', ['xab', 'x-ab', 'ab'], 'ab', ['ab', 'x-ab', 'xab']],
    ['takes a path for words', ['b/domain', 'feature/main'], 'main', ['feature/main', 'b/domain']],
    ['takes a text with a slash for one', ['x/src/a.ts', 'my-src/a.ts'], 'src/a', ['x/src/a.ts', 'my-src/a.ts']],
    ['keeps the order among equals', ['b1', 'b0', 'b2'], 'b', ['b1', 'b0', 'b2']],
    ['takes no notice of case', ['Main', 'MAINLINE'], 'mAiN', ['Main', 'MAINLINE']],
    ['names nothing twice', ['a', 'a'], 'a', ['a']],
    ['puts what has its letters in their order last', ['read_text_file', 'x-rtf', 'r-file'], 'rtf', ['x-rtf', 'read_text_file']],
    ['leaves out what does not match', ['a', 'b'], 'b', ['b']],
    ['leaves out what has its letters in another order, or too few of them', ['ba', 'b', 'ab'], 'abb', []],
  ])('%s', (_, candidates, typed, values) => {
    expect(rank(candidates, typed).values).toEqual(values);
  });
});
