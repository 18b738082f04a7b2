import { mkdir } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { createFixture, getOutcome, GUARANTEES, write, type RootFixture } from '../fixtures.ts';
import { OUTCOMES, collectOutcomes, type Outcomes } from '../operations.ts';

/** The title of an attack, its path, and the expected outcome of every operation. */
type Attack = readonly [attack: string, given: (at: RootFixture) => string, expected: Outcomes];

const OUT = OUTCOMES.outside;

const CLIMBS: readonly Attack[] = [
  ['R/../outside', ({ root }) => `${root}/../../outside/secret.txt`, OUT],
  ['a relative path with ..', () => '../../outside/secret.txt', OUT],
  ['..', () => '..', OUT],
  ['R/a/../../x', ({ root }) => `${root}/a/../../x`, OUT],
  ['R/missing/../../x', ({ root }) => `${root}/missing/../../x`, OUT],
  ['R/a/../ok', ({ root }) => `${root}/a/../ok.txt`, OUTCOMES.file],
  ['out of R and back', ({ root }) => `${root}/../safe/ok.txt`, OUTCOMES.file],
  ['doubled slashes and dots', ({ root }) => `${root}//.//a/./b.txt`, OUTCOMES.file],
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
  ['NUL at the end', ({ root }) => `${root}/ok.txt\0`, OUTCOMES['no path']],
  ['NUL before an extension', ({ root }) => `${root}/ok.txt\0.png`, OUTCOMES['no path']],
  ['NUL before ..', () => '\0/../../outside/secret.txt', OUTCOMES['no path']],
  ['an empty path', () => '', OUTCOMES['no path']],
  ['a name of 256 bytes', () => 'n'.repeat(256), OUTCOMES['no path']],
  ['a name of 86 characters in 258 bytes', () => '€'.repeat(86), OUTCOMES['no path']],
  ['a directory of 256 bytes', () => `${'n'.repeat(256)}/x`, OUTCOMES['no path']],
  ['a path of more than 4,096 bytes', () => 'a/'.repeat(2100), OUTCOMES['no path']],
  ['a path of 1 MB', () => 'a/'.repeat(524_288), OUTCOMES['no path']],
  ['a file as directory', () => 'ok.txt/x', OUTCOMES['nothing in a file']],
  ['a file as directory, two levels', () => 'ok.txt/x/y', OUTCOMES['nothing in nothing in a file']],
  ['R after a space', ({ root }) => ` ${root}/ok.txt`, OUTCOMES['nothing in nothing']],
  ['R in quotes', ({ root }) => `"${root}/ok.txt"`, OUTCOMES['nothing in nothing']],
];

const URIS: readonly Attack[] = [
  ['a file', ({ root }) => `file://${root}/ok.txt`, OUTCOMES.file],
  ['a file on localhost', ({ root }) => `file://localhost${root}/ok.txt`, OUTCOMES.file],
  ['encoded letters', ({ root }) => `file://${root}/%6f%6B.txt`, OUTCOMES.file],
  ['a directory', ({ root }) => `file://${root}/a`, OUTCOMES.directory],
  ['nothing', ({ root }) => `file://${root}/new.txt`, OUTCOMES.nothing],
  ['a name that is encoded twice', ({ root }) => `file://${root}/%256fk.txt`, OUTCOMES.nothing],
  ['a file elsewhere', ({ outside }) => `file://${outside}/secret.txt`, OUT],
  ['a sibling', ({ root }) => `file://${root}_evil/secret.txt`, OUT],
  ['a sibling with an encoded space', ({ root }) => `file://${root}%20/secret.txt`, OUT],
  ['the root of the file system', () => 'file:///', OUT],
  ['no path', () => 'file://', OUT],
  ['another host', ({ root }) => `file://elsewhere${root}/ok.txt`, OUTCOMES['no path']],
  ['..', ({ root }) => `file://${root}/a/../ok.txt`, OUTCOMES['no path']],
  ['encoded ..', ({ root }) => `file://${root}/%2e%2e/%2E./outside/secret.txt`, OUTCOMES['no path']],
  ['encoded slashes', ({ root }) => `file://${root}/a%2Fb.txt`, OUTCOMES['no path']],
  ['encoded slashes around ..', ({ root }) => `file://${root}/a%2f..%2f..%2f..%2foutside`, OUTCOMES['no path']],
  ['an encoded NUL', ({ root }) => `file://${root}/ok.txt%00`, OUTCOMES['no path']],
  ['a line break', ({ root }) => `file://${root}/o\nk.txt`, OUTCOMES['no path']],
  ['a backslash', ({ root }) => String.raw`file://${root}\..\outside`, OUTCOMES['no path']],
  ['a query', ({ root }) => `file://${root}/ok.txt?x`, OUTCOMES['no path']],
  ['a fragment', ({ root }) => `file://${root}/ok.txt#x`, OUTCOMES['no path']],
  ['a broken escape', ({ root }) => `file://${root}/%zz`, OUTCOMES['no path']],
  ['bytes that are not UTF-8', ({ root }) => `file://${root}/%ff`, OUTCOMES['no path']],
  ['another letter case', ({ root }) => `FILE://${root}/ok.txt`, OUTCOMES['no path']],
  ['a user and a port', ({ root }) => `file://me@localhost:1${root}/ok.txt`, OUTCOMES['no path']],
];

/** Texts that other programs expand or decode, but that are ordinary names here. */
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

describe.skipIf(process.platform === 'win32').each(GUARANTEES)('paths (guarantee %s)', (guarantee) => {
  const bare = () => createFixture({ guarantee });

  describe('a path with ..', () => {
    it.each(CLIMBS)('is checked by its resolved path: %s', async (_, given, expected) => {
      expect(await collectOutcomes(bare, given)).toEqual(expected);
    });
  });

  describe('a sibling of the root', () => {
    it.each(SIBLINGS)('is outside the root, whether or not it exists: %s', async (_, given, expected) => {
      expect(await collectOutcomes(bare, given)).toEqual(expected);
      const planted = async (): Promise<RootFixture> => {
        const at = await bare();
        await mkdir(given(at), { recursive: true });
        return at;
      };
      expect(await collectOutcomes(planted, given)).toEqual(expected);
    });
  });

  describe('a file URI', () => {
    it.each(URIS)('is decoded once and checked like a path: %s', async (_, given, expected) => {
      expect(await collectOutcomes(bare, given)).toEqual(expected);
    });
  });

  describe('an unusual path', () => {
    it.each(NAMES)('is rejected with an error code: %s', async (_, given, expected) => {
      expect(await collectOutcomes(bare, given)).toEqual(expected);
    });

    it.each(['file:ok.txt', 'file:/ok.txt', 'http://localhost/ok.txt'])('is not read as a URI: %s', async (given) => {
      const { roots } = await bare();
      expect(await getOutcome(roots.resolveExisting(given))).toBe('NOT_FOUND');
    });

    it.each(LITERALS)('is a literal name: %j', async (name) => {
      expect(await collectOutcomes(bare, () => name)).toEqual(OUTCOMES.nothing);
      const written = async (): Promise<RootFixture> => {
        const at = await bare();
        await write(path.join(at.root, name));
        return at;
      };
      expect(await collectOutcomes(written, () => name)).toEqual(OUTCOMES.file);
    });

    it.each(['~/x', '$HOME/x', '%2e%2e/x', '%2e%2e/outside/secret.txt'])('is looked up inside the root: %s', async (given) => {
      expect(await collectOutcomes(bare, () => given)).toEqual(OUTCOMES['nothing in nothing']);
    });
  });
});
