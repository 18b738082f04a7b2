import { execFileSync } from 'node:child_process';

import { describe, expect, it } from 'vitest';

import { DiffReader } from '../../../src/repository/parse/diff-reader.ts';
import { git, repositoryOf, writeIn } from '../../fixtures/temporary.ts';

const NAMES = ['plain', 'a b', 'two\nlines', '"quoted"', 'tab\there', 'back\\slash', 'über', 'diff --git a b', '\u007F\u0001'];

function outputOf(top: string): Buffer {
  const args = ['-c', 'core.quotePath=false', 'diff', 'HEAD', '--raw', '--numstat', '--patch', '-z'];
  return execFileSync('git', args, { cwd: top });
}

function read(output: Buffer, size: number, isKept?: (path: string) => boolean): DiffReader {
  const reader = new DiffReader(0, isKept);
  for (let start = 0; start < output.length; start += size) reader.feed(output.subarray(start, start + size));
  reader.finish();
  return reader;
}

describe('the diff reader', () => {
  it('separates the patches of files with any names, in chunks of any size', async () => {
    const top = await repositoryOf([['Begin', Object.fromEntries(NAMES.map((name) => [name, 'x\n']))]]);
    for (const name of NAMES) await writeIn(top, name, `x\ndiff --git a/plain b/plain\n* Unmerged path plain\n${name}`);
    const output = outputOf(top);
    for (const size of [1, 7, output.length]) {
      const { files, sections } = read(output, size);
      const changed = NAMES.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
      expect(files.map(({ path }) => path)).toEqual(changed);
      expect(sections.map(({ file }) => file?.path)).toEqual(changed);
      const patch = Buffer.concat(sections.map((section) => section.patch));
      expect(output.subarray(-patch.length - 1)).toEqual(Buffer.concat([Buffer.of(0), patch]));
    }
    const { sections, files } = read(output, 5, (path) => path === 'two\nlines');
    expect(sections.map(({ file }) => file?.path)).toEqual(['two\nlines']);
    expect(files).toHaveLength(NAMES.length);
  });

  it('reports changed files even if the patch is missing', async () => {
    const top = await repositoryOf([['Begin', { a: 'x\n', b: 'y\n' }]]);
    git(top, ['mv', 'a', 'c']);
    await writeIn(top, 'b', 'z\n');
    const output = outputOf(top);
    const { files, sections } = read(output.subarray(0, output.indexOf('diff --git')), 3);
    expect(files).toEqual([
      { path: 'b', status: 'modified', added: 1, removed: 1 },
      { path: 'c', original_path: 'a', status: 'renamed', added: 0, removed: 0 },
    ]);
    expect(sections).toEqual([]);
  });
});
