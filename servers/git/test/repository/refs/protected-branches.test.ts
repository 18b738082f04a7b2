import { describe, expect, it } from 'vitest';

import { isProtected, requireUnprotected } from '../../../src/repository/refs/protected-branches.ts';

function policyOf(...protectedBranches: string[]) {
  return { allowHooks: false, protectedBranches };
}

describe('a branch', () => {
  it.each([
    ['main', 'main'],
    ['release/*', 'release/1.2'],
    ['release/*', 'release/'],
    ['*', 'anything'],
    ['v*.*', 'v1.2'],
    ['*-stable', 'x-stable'],
    ['**', 'x'],
    ['a+b(c)', 'a+b(c)'],
    ['ünï*', 'ünïcode'],
    ['*', '💾'],
  ])('is protected by %s: %s', (pattern, branch) => {
    expect(isProtected(branch, policyOf('other', pattern))).toBe(true);
  });

  it.each([
    ['main', 'mains'],
    ['main', 'Main'],
    ['main', 'x/main'],
    ['release/*', 'release/1/2'],
    ['*', 'feature/x'],
    ['v1.2', 'v1x2'],
    ['[ab]', 'a'],
    ['a|b', 'a'],
    ['', 'a'],
  ])('is not protected by %s: %s', (pattern, branch) => {
    expect(isProtected(branch, policyOf(pattern))).toBe(false);
  });

  it('is matched in bounded time against a pattern with many stars', () => {
    expect(isProtected(`${'a'.repeat(250)}!`, policyOf('*a***************b'))).toBe(false);
  });

  it('is named in the error', () => {
    expect(() => requireUnprotected('main', 'deleted', policyOf('main'))).toThrow(
      '"main" is a protected branch and cannot be deleted',
    );
  });
});
