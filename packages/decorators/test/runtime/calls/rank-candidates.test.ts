import { describe, expect, it } from 'vitest';

import { rankCandidates } from '../../../src/runtime/calls/complete-argument.ts';

describe('a ranking', () => {
  it.each<readonly [string, readonly string[], string, readonly string[]]>([
    ['lists candidates that begin with the text first', ['xab', 'ab'], 'ab', ['ab', 'xab']],
    ['lists candidates with a word that begins with the text second', ['xab', 'x-ab', 'ab'], 'ab', ['ab', 'x-ab', 'xab']],
    ['treats the parts of a path as words', ['b/domain', 'feature/main'], 'main', ['feature/main', 'b/domain']],
    ['matches a text with a slash as a whole', ['x/src/a.ts', 'my-src/a.ts'], 'src/a', ['x/src/a.ts', 'my-src/a.ts']],
    ['keeps the order of equally good candidates', ['b1', 'b0', 'b2'], 'b', ['b1', 'b0', 'b2']],
    ['ignores case', ['Main', 'MAINLINE'], 'mAiN', ['Main', 'MAINLINE']],
    ['lists no candidate twice', ['a', 'a'], 'a', ['a']],
    [
      'lists candidates with the letters in the same order last',
      ['read_text_file', 'x-rtf', 'r-file'],
      'rtf',
      ['x-rtf', 'read_text_file'],
    ],
    ['omits candidates that do not match', ['a', 'b'], 'b', ['b']],
    ['omits candidates with the letters in another order, or with missing letters', ['ba', 'b', 'ab'], 'abb', []],
  ])('%s', (_, candidates, typed, values) => {
    expect(rankCandidates(candidates, typed).values).toEqual(values);
  });
});
