import { describe, expect, it } from 'vitest';

import { compileDenying, EMPTY_PATH, compilePrecheck, spellName } from '../../src/policy/glob-set.ts';

function denies(glob: string, name: string): boolean {
  return compilePrecheck([glob])(name) && compileDenying([glob])(spellName(name), [EMPTY_PATH]);
}

describe('compileDenying', () => {
  it.each([
    [
      'full-width brackets',
      '\uFF3Bdraft\uFF3D*',
      ['\uFF3Bdraft\uFF3D.txt', '[draft].txt', '[DRAFT]'],
      ['data.txt', 'draft', 'd'],
    ],
    ['full-width star', 'a\uFF0Ab', ['a\uFF0Ab', 'a*b', 'A*B'], ['axb', 'ab']],
    ['two full-width stars', '\uFF0A\uFF0A', ['**'], ['a', '']],
    ['full-width question mark', 'a\uFF1F', ['a\uFF1F', 'a?'], ['ab']],
    ['full-width braces', '\uFF5Ba,b\uFF5D', ['\uFF5Ba,b\uFF5D', '{A,b}'], ['a', 'b']],
    ['full-width comma in braces', '{a\uFF0Cb,c}', ['a,b', 'c'], ['a', 'b']],
    ['full-width backslash', '\uFF3C*', ['\uFF3Cx', '\\x'], ['*']],
    ['full-width exclamation mark in a class', '[\uFF01a]', ['\uFF01', '!', 'a', 'A'], ['b']],
    ['full-width bracket in a class', '[\uFF3Dx]y', ['\uFF3Dy', ']y', 'XY'], ['ay']],
    ['range of upper-case letters', '[A-C]x', ['ax', 'BX', '\uFF23x'], ['dx']],
    ['letter with a combining mark', 'e\u0301*', ['\u00e9x', 'E\u0301'], ['ex']],
    ['full-width letters', '\uFF0E\uFF45nv', ['.env', '.ENV'], ['env']],
    ['escaped star', String.raw`A\*`, ['a*'], ['ab']],
  ])('treats literal characters as literals after folding: %s', (_, glob, denied, permitted) => {
    for (const name of denied) expect(denies(glob, name), name).toBe(true);
    for (const name of permitted) expect(denies(glob, name), name).toBe(false);
  });
});
