import { structuredPatch, formatPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { findChangedPart, findCounterparts } from '../../../packages/views/src/diff/changed-part.ts';
import { numberLines, parseDiff } from '../../../packages/views/src/diff/parse-diff.ts';
import { size, visible, visibleName } from '../../../packages/views/src/text/visible-text.ts';

describe('parseDiff', () => {
  it('reads files, notes and hunks', () => {
    const text = [
      'commit 1234',
      'diff --git a/old.txt b/new.txt',
      'similarity index 90%',
      'rename from old.txt',
      'rename to new.txt',
      '--- a/old.txt',
      '+++ b/new.txt',
      '@@ -3,2 +3,3 @@ function f() {',
      ' same',
      '-old',
      '+new',
      '+more',
      '\\ No newline at end of file',
      'diff --git a/image.png b/image.png',
      'Binary files a/image.png and b/image.png differ',
    ].join('\n');
    expect(parseDiff(text)).toEqual([
      {
        oldPath: 'old.txt',
        newPath: 'new.txt',
        notes: ['similarity index 90%', 'rename from old.txt', 'rename to new.txt'],
        hunks: [
          {
            place: 'function f() {',
            oldStart: 3,
            newStart: 3,
            lines: [
              { kind: 'context', text: 'same', oldLine: 3, newLine: 3 },
              { kind: 'removed', text: 'old', oldLine: 4 },
              { kind: 'added', text: 'new', newLine: 4 },
              { kind: 'added', text: 'more', newLine: 5 },
              { kind: 'note', text: 'No newline at end of file' },
            ],
          },
        ],
      },
      {
        oldPath: 'image.png',
        newPath: 'image.png',
        notes: ['Binary files a/image.png and b/image.png differ'],
        hunks: [],
      },
    ]);
  });

  it.each([
    ['the head of a file', ['--- a/secret.txt', '+++ b/other.txt']],
    ['a hunk', ['-@@ -1,1 +1,1 @@', '+@@ -1,1 +1,1 @@']],
    ['a file of git', ['-diff --git a/x b/x', '+diff --git a/y b/y']],
  ])('is not deceived by changed lines that look like %s', (_, lines) => {
    const files = parseDiff(['--- a/a.txt', '+++ b/a.txt', '@@ -1,1 +1,1 @@', ...lines].join('\n'));
    expect(files).toHaveLength(1);
    expect(files[0]?.hunks).toHaveLength(1);
    expect(files[0]?.hunks[0]?.lines.map(({ kind }) => kind)).toEqual(['removed', 'added']);
  });

  it.each([
    ['equal names', 'diff --git a/x b/y b/x b/y', 'x b/y', 'x b/y'],
    ['a renamed file', 'diff --git a/x b/y', 'x', 'y'],
    ['a merge', 'diff --cc a b.txt', '', 'a b.txt'],
  ])('reads %s from the first line', (_, line, oldPath, newPath) =>
    expect(parseDiff(line)).toEqual([{ oldPath, newPath, notes: [], hunks: [] }]),
  );

  it('reads what is there of a difference that is cut', () => {
    const [file] = parseDiff('--- a/a.txt\n+++ b/a.txt\n@@ -1,9 +1,9 @@\n one\n-two\n[The diff was cut off]');
    expect(file?.hunks[0]?.lines).toHaveLength(2);
  });

  it('keeps all lines of any texts', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', '--- x', '+++ y', '@@ -1 +1 @@', ''), { maxLength: 20 })
      .map((lines) => lines.map((line) => `${line}\n`).join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const patch = structuredPatch('a.txt', 'a.txt', before, after);
        const files = parseDiff(formatPatch(patch));
        const written = files.flatMap(({ hunks }) => hunks.flatMap(({ lines }) => lines.map(({ text: line }) => line)));
        expect(written).toEqual(patch.hunks.flatMap(({ lines }) => lines.map((line) => line.slice(1))));
      }),
      { numRuns: 200 },
    );
  });
});

describe('numberLines', () => {
  it('numbers the lines of both versions', () => {
    const lines = numberLines([' a', '-b', '+c', ' d'], { oldStart: 5, newStart: 9 });
    expect(lines.map(({ oldLine, newLine }) => [oldLine, newLine])).toEqual([
      [5, 9],
      [6, undefined],
      [undefined, 10],
      [7, 11],
    ]);
  });
});

describe('findCounterparts', () => {
  it('pairs the lines of blocks with as many removed as added lines', () => {
    const lines = numberLines([' a', '-b', '-c', '+d', '+e', ' f', '-g', '+h', '+i', ' j', '-k', '+l'], {
      oldStart: 1,
      newStart: 1,
    });
    const found = findCounterparts(lines);
    const pairs = lines.map((line) => found.get(line)).map((text) => text ?? '');
    expect(pairs).toEqual(['', 'd', 'e', 'b', 'c', '', '', '', '', '', 'l', 'k']);
  });
});

describe('findChangedPart', () => {
  it.each([
    ['line 10', 'line 11', '0'],
    ['abc', 'abc', ''],
    ['aXc', 'ac', 'X'],
    ['', 'abc', ''],
    ['a😀c', 'a😁c', '😀'],
    ['aaa', 'aa', 'a'],
  ])('of %j against %j is %j', (text, other, part) => {
    const { start, end } = findChangedPart(text, other);
    expect(text.slice(start, end)).toBe(part);
  });
});

describe('visible texts', () => {
  it.each([
    ['a bidirectional override', 'a\u202Eb', 'a\\u{202e}b'],
    ['an escape of a terminal', '\u001B[2J', '\\u{1b}[2J'],
    ['a space without width', 'a\u200Bb', 'a\\u{200b}b'],
    ['half a surrogate pair', '\uD800', '\\u{d800}'],
    ['a separator of lines', 'a\u2028b', 'a\\u{2028}b'],
    ['tabs and line breaks', 'a\tb\n', 'a\tb\n'],
  ])('escape %s', (_, text, expected) => expect(visible(text)).toBe(expected));

  it('of names are on one line', () => expect(visibleName('a\tb\nc')).toBe('a\\tb\\nc'));

  it.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [1024, '1.00 KiB'],
    [300_000, '293 KiB'],
    [1_047_552, '1023 KiB'],
    [5e12, '4.55 TiB'],
  ])('of %d bytes are %s', (bytes, expected) => expect(size(bytes)).toBe(expected));
});
