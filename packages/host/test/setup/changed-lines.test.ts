import { describe, expect, it } from 'vitest';

import { changedLines } from '../../src/setup/changed-lines.ts';

describe('the changed lines of two texts', () => {
  it.each([
    ['', 'a\nb\n', '+ a\n+ b'],
    ['a\nb\nc', 'a\nx\ny\nc', '- b\n+ x\n+ y'],
    ['a\na', 'a\na\na', '+ a'],
    ['a\r\nb\r\n', 'a\r\nb,\r\nc\r\n', '- b\n+ b,\n+ c'],
    ['a', 'a', ''],
  ])('of %j and %j are those between what they have in common', (before, after, lines) => {
    expect(changedLines(before, after)).toBe(lines);
  });
});
