import { describe, expect, it } from 'vitest';

import { isContained } from '../../src/paths/containment.ts';
import { MACOS, POSIX, WINDOWS } from '../../src/paths/naming.ts';

describe('a directory', () => {
  it.each([
    ['itself', '/w/safe', '/w/safe'],
    ['itself with a trailing slash', '/w/safe', '/w/safe/'],
    ['a child', '/w/safe', '/w/safe/a'],
    ['a grandchild', '/w/safe', '/w/safe/a/b'],
    ['a name that starts with two dots', '/w/safe', '/w/safe/..foo'],
    ['a child of a name that starts with two dots', '/w/safe', '/w/safe/..foo/a'],
    ['a name that consists of three dots', '/w/safe', '/w/safe/...'],
    ['a hidden name', '/w/safe', '/w/safe/.a'],
    ['everything, if it is the root of the file system', '/', '/etc/passwd'],
    ['itself, if it is the root of the file system', '/', '/'],
  ])('contains %s', (_, directory, candidate) => {
    expect(isContained(directory, candidate, POSIX)).toBe(true);
  });

  it.each([
    ['its parent', '/w/safe', '/w'],
    ['the root of the file system', '/w/safe', '/'],
    ['a sibling', '/w/safe', '/w/other'],
    ['a sibling that starts with its name', '/w/safe', '/w/safe_evil'],
    ['a child of such a sibling', '/w/safe', '/w/safe_evil/a'],
    ['a sibling whose name starts with two dots', '/w/safe', '/w/..foo'],
    ['its name with a space', '/w/safe', '/w/safe '],
    ['its name in another case', '/w/safe', '/w/SAFE'],
  ])('does not contain %s', (_, directory, candidate) => {
    expect(isContained(directory, candidate, POSIX)).toBe(false);
  });
});

describe('a directory on a case-insensitive file system', () => {
  it.each([
    ['on Windows', WINDOWS, String.raw`C:\w\Safe`, String.raw`c:\W\SAFE\a`],
    ['on macOS', MACOS, '/w/Safe', '/W/SAFE/a'],
    ['on macOS, in another normal form', MACOS, '/w/caf\u00e9', '/w/cafe\u0301/a'],
  ])('contains a child in another spelling, %s', (_, naming, directory, candidate) => {
    expect(isContained(directory, candidate, naming)).toBe(true);
  });
});
