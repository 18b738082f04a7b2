import { describe, expect, it } from 'vitest';

import { isToolName, snakeCase } from '../../src/compile/names.ts';

describe('the wire name of a method', () => {
  it.each([
    ['readTextFile', 'read_text_file'],
    ['parseURL', 'parse_url'],
    ['URLOf', 'url_of'],
    ['sha256Of', 'sha256_of'],
    ['index', 'index'],
    ['already_snake', 'already_snake'],
  ])('converts %s to %s', (member, name) => {
    expect(snakeCase(member)).toBe(name);
  });
});

describe('a tool name', () => {
  it.each(['a', 'read_text_file', 'git/status', 'v1.0-beta', 'A'.repeat(64)])('accepts %s', (name) => {
    expect(isToolName(name)).toBe(true);
  });

  it.each(['', 'read file', 'lesen_äöü', 'read:file', 'A'.repeat(65), 'read\n'])('rejects %o', (name) => {
    expect(isToolName(name)).toBe(false);
  });
});
