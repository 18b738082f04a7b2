import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import type { RootsOptions } from '../src/index.ts';
import { ground, GUARANTEES, outcome, write, type Ground } from './ground.ts';
import { MEETS, namesIn, OPERATIONS, outcomes, outcomesOf, readFile, writeIn } from './operations.ts';

const COMPOSED = 'caf\u00e9';
const DECOMPOSED = 'cafe\u0301';

/** Names with which a message could be forged, or that cannot be typed. */
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

describe.skipIf(process.platform === 'win32').each(GUARANTEES)('held as %s,', (guarantee) => {
  describe('a name', () => {
    it.each(ODD)('is listed as it is and leads back to its file: %j', async (name) => {
      const { root, roots } = await ground({ guarantee });
      await writeFile(path.join(root, name), 'odd');
      await using directory = await roots.openDirectory('.');
      expect(await namesIn(directory)).toContain(name);
      expect(await readFile(roots, name)).toBe('odd');
    });

    it.each(['', '.', '..', '../ok.txt', 'a/../ok.txt', '/ok.txt', 'ok.txt\0'])(
      'in a verified directory is one name and no path: %j',
      async (name) => {
        const { root, roots } = await ground({ guarantee });
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

  describe.runIf(process.platform === 'linux')('a name whose bytes are no UTF-8', () => {
    it('is listed, and nothing is there by the name that is shown', async () => {
      const at = await latin();
      await using directory = await at.roots.openDirectory('.');
      expect(await namesIn(directory)).toContain('caf\uFFFD');
      expect(await directory.facts('caf\uFFFD')).toBeUndefined();
      expect(await outcomesOf(latin, () => 'caf\uFFFD')).toEqual(MEETS.nothing);
    });

    async function latin(): Promise<Ground> {
      const at = await ground({ guarantee });
      await writeFile(Buffer.concat([Buffer.from(`${at.root}/caf`), Buffer.of(0xe9)]), 'latin');
      return at;
    }
  });

  describe.runIf(process.platform === 'linux')('a name with an accent', () => {
    it.each([
      [COMPOSED, DECOMPOSED],
      [DECOMPOSED, COMPOSED],
    ])('is found by its other normal form: %j by %j', async (written, given) => {
      for (const asked of [given, written]) {
        expect(await readFile((await holding(written)).roots, asked)).toBe(written);
        expect(
          await outcomesOf(
            () => holding(written),
            () => asked,
          ),
        ).toEqual(MEETS.file);
      }
    });

    it.each([COMPOSED, DECOMPOSED])('is denied in each of its normal forms: %j', async (denied) => {
      for (const name of [COMPOSED, DECOMPOSED]) {
        const { roots } = await holding(name, { guarantee, deny: [denied] });
        for (const given of [COMPOSED, DECOMPOSED])
          expect(await outcome(readFile(roots, given)), JSON.stringify({ name, given })).toBe('DENIED_BY_POLICY');
      }
    });

    it('is replaced in its other normal form, and no second one comes to be', async () => {
      const { root, roots } = await holding(DECOMPOSED);
      await OPERATIONS.write(roots, COMPOSED);
      expect((await readdir(root)).sort()).toEqual(['a', DECOMPOSED, 'ok.txt']);
    });

    it.each([COMPOSED, DECOMPOSED])('that is there in both normal forms is ambiguous: %j', async (given) => {
      const expected = outcomes('AMBIGUOUS_NAME');
      expect(
        await outcomesOf(
          () => holding([COMPOSED, DECOMPOSED]),
          () => given,
        ),
      ).toEqual(expected);
      const inTwins = (): Promise<Ground> => holding([`${COMPOSED}/x`, `${DECOMPOSED}/x`]);
      expect(await outcomesOf(inTwins, () => `${given}/x`)).toEqual(expected);
    });

    async function holding(names: string | readonly string[], options: RootsOptions = { guarantee }): Promise<Ground> {
      const at = await ground(options);
      await write(...[names].flat().map((name) => path.join(at.root, name)));
      return at;
    }
  });
});
