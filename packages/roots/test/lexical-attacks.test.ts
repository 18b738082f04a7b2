import { mkdir } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { ground, GUARANTEES, write, type Ground } from './ground.ts';
import { MEETS, outcomesOf, type Outcomes } from './operations.ts';

/** The attack, its path, and what every operation comes to. */
type Attack = readonly [attack: string, given: (at: Ground) => string, expected: Outcomes];

const OUT = MEETS.outside;

const CLIMBS: readonly Attack[] = [
  ['R/../outside', ({ root }) => `${root}/../../outside/secret.txt`, OUT],
  ['a relative path with ..', () => '../../outside/secret.txt', OUT],
  ['..', () => '..', OUT],
  ['R/a/../../x', ({ root }) => `${root}/a/../../x`, OUT],
  ['R/missing/../../x', ({ root }) => `${root}/missing/../../x`, OUT],
  ['R/a/../ok', ({ root }) => `${root}/a/../ok.txt`, MEETS.file],
  ['out of R and back', ({ root }) => `${root}/../safe/ok.txt`, MEETS.file],
  ['doubled slashes and dots', ({ root }) => `${root}//.//a/./b.txt`, MEETS.file],
  ['the parent of R', ({ root }) => path.dirname(root), OUT],
  ['the root of the file system', () => '/', OUT],
  ['an absolute path elsewhere', ({ outside }) => path.join(outside, 'secret.txt'), OUT],
  ['more .. than there are directories', ({ outside }) => `${'../'.repeat(64)}${outside}/secret.txt`, OUT],
];

const SIBLINGS: readonly Attack[] = ['_evil', '"', "'", ' ', '\t', '\n', '\r', '\u00a0', '\u200b', '.', '\\', '%', '*'].flatMap(
  (suffix) => [
    [`R with ${JSON.stringify(suffix)} after it`, ({ root }) => `${root}${suffix}`, OUT],
    [`a file of R with ${JSON.stringify(suffix)} after it`, ({ root }) => `${root}${suffix}/x`, OUT],
  ],
);

const NAMES: readonly Attack[] = [
  ['NUL at the end', ({ root }) => `${root}/ok.txt\0`, MEETS['no path']],
  ['NUL before an extension', ({ root }) => `${root}/ok.txt\0.png`, MEETS['no path']],
  ['NUL before ..', () => '\0/../../outside/secret.txt', MEETS['no path']],
  ['an empty path', () => '', MEETS['no path']],
  ['a name of 256 bytes', () => 'n'.repeat(256), MEETS['no path']],
  ['a name of 86 characters in 258 bytes', () => '€'.repeat(86), MEETS['no path']],
  ['a directory of 256 bytes', () => `${'n'.repeat(256)}/x`, MEETS['no path']],
  ['a path of more than 4,096 bytes', () => 'a/'.repeat(2100), MEETS['no path']],
  ['a path of 1 MB', () => 'a/'.repeat(524_288), MEETS['no path']],
  ['a file as directory', () => 'ok.txt/x', MEETS['nothing in a file']],
  ['a file as directory, two levels', () => 'ok.txt/x/y', MEETS['nothing in nothing in a file']],
  ['a file URL', ({ root }) => `file://${root}/ok.txt`, MEETS['nothing in nothing']],
  ['R after a space', ({ root }) => ` ${root}/ok.txt`, MEETS['nothing in nothing']],
  ['R in quotes', ({ root }) => `"${root}/ok.txt"`, MEETS['nothing in nothing']],
];

/** What other programs expand or decode; here each is a name like any other. */
const LITERALS = [
  '~',
  '$HOME',
  '${HOME}',
  '%2e%2e',
  '%2e%2e%2foutside',
  String.raw`..\outside`,
  String.raw`C:\x`,
  'NUL',
  'ok.txt::$DATA',
  '..foo',
  '...',
  ' ',
  '\t',
  '\n',
  '\u00a0',
  '\u200b',
  '\u202etxt.exe',
  '\u001b[31m',
  '*',
  'n'.repeat(255),
];

describe.skipIf(process.platform === 'win32').each(GUARANTEES)('held as %s,', (guarantee) => {
  const bare = () => ground({ guarantee });

  describe('a path that climbs', () => {
    it.each(CLIMBS)('is judged by where it leads: %s', async (_, given, expected) => {
      expect(await outcomesOf(bare, given)).toEqual(expected);
    });
  });

  describe('a sibling of the root', () => {
    it.each(SIBLINGS)('is outside and never trimmed, whether it is there or not: %s', async (_, given, expected) => {
      expect(await outcomesOf(bare, given)).toEqual(expected);
      const planted = async (): Promise<Ground> => {
        const at = await bare();
        await mkdir(given(at), { recursive: true });
        return at;
      };
      expect(await outcomesOf(planted, given)).toEqual(expected);
    });
  });

  describe('an unusual path', () => {
    it.each(NAMES)('is refused with a code: %s', async (_, given, expected) => {
      expect(await outcomesOf(bare, given)).toEqual(expected);
    });

    it.each(LITERALS)('is a literal name: %j', async (name) => {
      expect(await outcomesOf(bare, () => name)).toEqual(MEETS.nothing);
      const written = async (): Promise<Ground> => {
        const at = await bare();
        await write(path.join(at.root, name));
        return at;
      };
      expect(await outcomesOf(written, () => name)).toEqual(MEETS.file);
    });

    it.each(['~/x', '$HOME/x', '%2e%2e/x', '%2e%2e/outside/secret.txt'])('is looked for inside the root: %s', async (given) => {
      expect(await outcomesOf(bare, () => given)).toEqual(MEETS['nothing in nothing']);
    });
  });
});
