import { describe, expect, it } from 'vitest';

import { createPatch, findConflicts, linesOf, splitLines } from '../../../servers/git/views/parts/conflict-text.ts';
import { assignLanes } from '../../../servers/git/views/parts/lanes.ts';

const commit = (oid: string, ...parents: string[]): Parameters<typeof assignLanes>[0][number] => ({
  oid,
  parents,
  date: '',
  author: '',
  refs: [],
  subject: oid,
});

describe('assignLanes', () => {
  it('keeps a history without branches in one lane', () => {
    const rows = assignLanes([commit('c', 'b'), commit('b', 'a'), commit('a')]);
    expect(rows.map(({ lane, width }) => [lane, width])).toEqual([
      [0, 1],
      [0, 1],
      [0, 1],
    ]);
    expect(rows[1]).toMatchObject({ above: [[0, 0]], below: [[0, 0]] });
    expect(rows[2]?.below).toEqual([]);
  });

  it('gives a merged branch a lane of its own, and frees it', () => {
    const rows = assignLanes([commit('m', 'a', 'b'), commit('b', 'base'), commit('a', 'base'), commit('base')]);
    expect(rows.map(({ lane }) => lane)).toEqual([0, 1, 0, 1]);
    expect(rows[0]?.below).toEqual([
      [0, 0],
      [0, 1],
    ]);
    expect(rows.at(-1)?.width).toBe(2);
  });

  it('connects each commit with all its parents on the page', () => {
    const commits = [
      commit('e', 'c', 'd', 'b'),
      commit('d', 'b'),
      commit('c', 'b'),
      commit('x', 'a'),
      commit('b', 'a'),
      commit('a'),
    ];
    for (const [index, row] of assignLanes(commits).entries()) {
      const after = assignLanes(commits)[index + 1];
      for (const [, to] of row.below) expect(after?.above.map(([from]) => from)).toContain(to);
    }
  });
});

describe('the conflicts of a text', () => {
  const text =
    'a\n<<<<<<< HEAD\nours\n||||||| base\nold\n=======\ntheirs\n>>>>>>> topic\nb\n<<<<<<< HEAD\n=======\nadded\n>>>>>>> topic';

  it('are found with their sides, their ancestor and their names', () => {
    const [first, second] = findConflicts(splitLines(text));
    expect(first).toMatchObject({
      start: 1,
      end: 8,
      ours: ['ours\n'],
      base: ['old\n'],
      theirs: ['theirs\n'],
      names: { ours: 'HEAD', theirs: 'topic' },
    });
    expect(second).toMatchObject({ ours: [], base: undefined, theirs: ['added\n'] });
    expect(first && linesOf(first, 'both')).toEqual(['ours\n', 'theirs\n']);
  });

  it.each([
    ['no end', 'a\n<<<<<<< HEAD\nours\n=======\ntheirs\n'],
    ['no middle', '<<<<<<< HEAD\nours\n>>>>>>> topic\n'],
    ['only an end', 'a\n>>>>>>> topic\n'],
    ['a short marker', '<<<<<< HEAD\na\n======\nb\n>>>>>> topic\n'],
  ])('are ignored if they have %s', (_, incomplete) => expect(findConflicts(splitLines(incomplete))).toEqual([]));

  it('are replaced by a patch with quoted paths and the missing line break at the end', () => {
    const lines = splitLines(text);
    const [, second] = findConflicts(lines);
    expect(second && createPatch('a "b"\t\\.txt', lines, second, second.theirs)).toBe(
      [
        String.raw`diff --git "a/a \"b\"\011\\.txt" "b/a \"b\"\011\\.txt"`,
        String.raw`--- "a/a \"b\"\011\\.txt"`,
        String.raw`+++ "b/a \"b\"\011\\.txt"`,
        '@@ -7,7 +7,4 @@',
        ' theirs',
        ' >>>>>>> topic',
        ' b',
        '-<<<<<<< HEAD',
        '-=======',
        '-added',
        '->>>>>>> topic',
        String.raw`\ No newline at end of file`,
        '+added',
        '',
      ].join('\n'),
    );
  });
});
