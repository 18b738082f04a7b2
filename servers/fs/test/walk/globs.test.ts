import { describe, expect, it } from 'vitest';

import { compileExcluder, compileGlobOrWord } from '../../src/walk/globs.ts';

describe('a pattern', () => {
  it.each([
    ['**/*.ts', 'a/b/c.ts', true],
    ['**/*.ts', 'c.ts', true],
    ['*.ts', 'a/c.ts', false],
    ['**/*.{js,ts}', 'a/c.js', true],
    ['a/*/c.ts', 'a/b/c.ts', true],
    ['**/.env', 'a/.env', true],
    ['config', 'deep/my.config.json', true],
    ['config', 'config/other.json', false],
    ['Config', 'my.config.json', false],
  ])('%s matches %s: %s', (pattern, relative, expected) => {
    expect(compileGlobOrWord(pattern)(relative)).toBe(expected);
  });
});

describe('a pattern with a bracket', () => {
  it.each(['[', 'src/[ab', '[a]*[b'])('is rejected without a closing bracket: %s', (pattern) => {
    for (const compile of [() => compileGlobOrWord(pattern), () => compileExcluder([pattern])])
      expect(compile).toThrow('has a [ without ]');
  });

  it('matches the character itself after a backslash', () => {
    expect(compileGlobOrWord('a\\[')('a[')).toBe(true);
  });
});

describe('an exclude pattern', () => {
  it.each([
    ['node_modules', 'node_modules', true],
    ['node_modules', 'a/node_modules', true],
    ['*.log', 'a/b.log', true],
    ['dist/**', 'dist/x', true],
    ['dist/**', 'a/dist/x', false],
    ['.git', '.github', false],
  ])('%s excludes %s: %s', (pattern, relative, expected) => {
    expect(compileExcluder([pattern])(relative)).toBe(expected);
  });
});
