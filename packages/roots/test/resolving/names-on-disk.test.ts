import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import type { RootsOptions } from '../../src/index.ts';
import { createFixture, GUARANTEES, getOutcome, write, type RootFixture } from '../fixtures.ts';
import { OUTCOMES, listNames, OPERATIONS, outcomes, collectOutcomes, readFile, writeIn } from '../operations.ts';

const COMPOSED = 'caf\u00e9';
const DECOMPOSED = 'cafe\u0301';

/** Names that could forge a message, that a shell would interpret, or that are hard to type. */
const ODD = [
  'a\nb',
  'a\u001b[31mb',
  '\u202efdp.exe',
  'a\u200bb',
  '-rf',
  ' leading',
  'trailing ',
  "it's",
  '"quoted"',
  '$(id)',
  ';',
  'ok.txt (deleted)',
];

describe.skipIf(process.platform === 'win32').each(GUARANTEES)('paths on disk (guarantee %s)', (guarantee) => {
  describe('an entry name', () => {
    it.each(ODD)('is listed unchanged and opens its file: %j', async (name) => {
      const { root, roots } = await createFixture({ guarantee });
      await writeFile(path.join(root, name), 'odd');
      await using directory = await roots.openDirectory('.');
      expect(await listNames(directory)).toContain(name);
      expect(await readFile(roots, name)).toBe('odd');
    });

    it.each(['', '.', '..', '../ok.txt', 'a/../ok.txt', '/ok.txt', 'ok.txt\0'])(
      'cannot be a path in a verified directory: %j',
      async (name) => {
        const { root, roots } = await createFixture({ guarantee });
        await using directory = await roots.openDirectory('.');
        await using other = await roots.openDirectory('a');
        const calls: readonly (() => Promise<unknown>)[] = [
          () => directory.facts(name),
          () => directory.readLink(name),
          () => directory.openFile(name),
          () => directory.openDirectory(name),
          () => writeIn(directory, name, 'x'),
          () => directory.makeDirectory(name),
          () => directory.rename(name, other, 'x'),
          () => directory.rename('ok.txt', other, name),
          () => directory.renameNew(name, other, 'x'),
          () => directory.renameNew('ok.txt', other, name),
          () => directory.unlink(name),
          () => directory.removeDirectory(name),
          () => directory.setTimes(name, new Date(0), new Date(0)),
        ];
        for (const call of calls) await expect(call(), call.toString()).rejects.toThrow();
        expect(await readdir(root, { recursive: true })).toEqual(['a', 'ok.txt', 'a/b.txt']);
      },
    );
  });

  describe.runIf(process.platform === 'linux')('a name that is not valid UTF-8', () => {
    it('is listed, but cannot be opened by its decoded name', async () => {
      const at = await latin();
      await using directory = await at.roots.openDirectory('.');
      expect(await listNames(directory)).toContain('caf\uFFFD');
      expect(await directory.facts('caf\uFFFD')).toBeUndefined();
      expect(await collectOutcomes(latin, () => 'caf\uFFFD')).toEqual(OUTCOMES.nothing);
    });

    async function latin(): Promise<RootFixture> {
      const at = await createFixture({ guarantee });
      await writeFile(Buffer.concat([Buffer.from(`${at.root}/caf`), Buffer.of(0xe9)]), 'latin');
      return at;
    }
  });

  describe.runIf(process.platform === 'linux')('a name with an accent', () => {
    it.each([
      [COMPOSED, DECOMPOSED],
      [DECOMPOSED, COMPOSED],
    ])('is found by its other normal form: %j as %j', async (written, given) => {
      for (const asked of [given, written]) {
        expect(await readFile((await holding(written)).roots, asked)).toBe(written);
        expect(
          await collectOutcomes(
            () => holding(written),
            () => asked,
          ),
        ).toEqual(OUTCOMES.file);
      }
    });

    it.each([COMPOSED, DECOMPOSED])('is denied in each of its normal forms: %j', async (denied) => {
      for (const name of [COMPOSED, DECOMPOSED]) {
        const { roots } = await holding(name, { guarantee, deny: [denied] });
        for (const given of [COMPOSED, DECOMPOSED])
          expect(await getOutcome(readFile(roots, given)), JSON.stringify({ name, given })).toBe('DENIED_BY_POLICY');
      }
    });

    it('is replaced under its other normal form instead of creating a second file', async () => {
      const { root, roots } = await holding(DECOMPOSED);
      await OPERATIONS.write(roots, COMPOSED);
      expect((await readdir(root)).sort()).toEqual(['a', DECOMPOSED, 'ok.txt']);
    });

    it.each([COMPOSED, DECOMPOSED])('is ambiguous if it exists in both normal forms: %j', async (given) => {
      const expected = outcomes('AMBIGUOUS_NAME');
      expect(
        await collectOutcomes(
          () => holding([COMPOSED, DECOMPOSED]),
          () => given,
        ),
      ).toEqual(expected);
      const inTwins = (): Promise<RootFixture> => holding([`${COMPOSED}/x`, `${DECOMPOSED}/x`]);
      expect(await collectOutcomes(inTwins, () => `${given}/x`)).toEqual(expected);
    });

    async function holding(names: string | readonly string[], options: RootsOptions = { guarantee }): Promise<RootFixture> {
      const at = await createFixture(options);
      await write(...[names].flat().map((name) => path.join(at.root, name)));
      return at;
    }
  });
});
