import { mkdir } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { ground, outcome, write } from './ground.ts';

const OUT = 'PATH_OUTSIDE_ROOTS';

/** The attack, its path in terms of the root, and what reading and creating come to. */
type Attack = readonly [attack: string, given: (root: string) => string, existing: string, creatable: string];

const CLIMBS: readonly Attack[] = [
  ['R/../outside', (root) => `${root}/../../outside/secret.txt`, OUT, OUT],
  ['a relative path with ..', () => '../../outside/secret.txt', OUT, OUT],
  ['..', () => '..', OUT, OUT],
  ['R/a/../../x', (root) => `${root}/a/../../x`, OUT, OUT],
  ['R/missing/../../x', (root) => `${root}/missing/../../x`, OUT, OUT],
  ['R/a/../ok', (root) => `${root}/a/../ok.txt`, 'allowed', 'allowed'],
  ['out of R and back', (root) => `${root}/../safe/ok.txt`, 'allowed', 'allowed'],
  ['doubled slashes and dots', (root) => `${root}//.//a/./b.txt`, 'allowed', 'allowed'],
  ['the parent of R', (root) => path.dirname(root), OUT, OUT],
  ['the root of the file system', () => '/', OUT, OUT],
  ['an absolute path elsewhere', () => '/etc/passwd', OUT, OUT],
  ['more .. than there are directories', () => `${'../'.repeat(64)}etc/passwd`, OUT, OUT],
];

const SIBLINGS: readonly Attack[] = ['_evil', '"', "'", ' ', '\t', '\n', '\r', '\u00a0', '\u200b', '.', '\\', '%', '*'].flatMap(
  (suffix) => [
    [`R with ${JSON.stringify(suffix)} after it`, (root) => `${root}${suffix}`, OUT, OUT],
    [`a file of R with ${JSON.stringify(suffix)} after it`, (root) => `${root}${suffix}/x`, OUT, OUT],
  ],
);

const NAMES: readonly Attack[] = [
  ['NUL at the end', (root) => `${root}/ok.txt\0`, 'INVALID_PATH', 'INVALID_PATH'],
  ['NUL before an extension', (root) => `${root}/ok.txt\0.png`, 'INVALID_PATH', 'INVALID_PATH'],
  ['NUL before ..', () => '\0/../../outside/secret.txt', 'INVALID_PATH', 'INVALID_PATH'],
  ['an empty path', () => '', 'INVALID_PATH', 'INVALID_PATH'],
  ['a name of 256 bytes', () => 'n'.repeat(256), 'INVALID_PATH', 'INVALID_PATH'],
  ['a name of 86 characters in 258 bytes', () => '€'.repeat(86), 'INVALID_PATH', 'INVALID_PATH'],
  ['a directory of 256 bytes', () => `${'n'.repeat(256)}/x`, 'INVALID_PATH', 'INVALID_PATH'],
  ['a path of more than 4,096 bytes', () => 'a/'.repeat(2100), 'INVALID_PATH', 'INVALID_PATH'],
  ['a path of 1 MB', () => 'a/'.repeat(524_288), 'INVALID_PATH', 'INVALID_PATH'],
  ['a file as directory', () => 'ok.txt/x', 'NOT_FOUND', 'NOT_FOUND'],
  ['a file as directory, two levels', () => 'ok.txt/x/y', 'NOT_FOUND', 'NOT_FOUND'],
  ['a file URL', (root) => `file://${root}/ok.txt`, 'NOT_FOUND', 'NOT_FOUND'],
  ['R after a space', (root) => ` ${root}/ok.txt`, 'NOT_FOUND', 'NOT_FOUND'],
  ['R in quotes', (root) => `"${root}/ok.txt"`, 'NOT_FOUND', 'NOT_FOUND'],
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
  '..foo',
  '...',
  ' ',
  '\t',
  '*',
];

describe.skipIf(process.platform === 'win32')('a path that climbs', () => {
  it.each(CLIMBS)('is judged by where it leads: %s', attack);
});

describe.skipIf(process.platform === 'win32')('a sibling of the root', () => {
  it.each(SIBLINGS)('is outside and never trimmed: %s', attack);
});

describe.skipIf(process.platform === 'win32')('an unusual path', () => {
  it.each(NAMES)('is refused with a code: %s', attack);

  it.each(LITERALS)('is a literal name: %j', async (name) => {
    const { root, roots } = await ground();
    const real = path.join(root, name);
    expect(await outcome(roots.existing(name))).toBe('NOT_FOUND');
    expect(await roots.creatable(name)).toMatchObject({ real, shown: real, exists: false });
    await write(real);
    expect(await roots.existing(name)).toMatchObject({ real, shown: real, exists: true });
  });

  it.each(['~/x', '$HOME/x', '%2e%2e/x', '%2e%2e/outside/secret.txt'])('is looked for inside the root: %s', async (given) => {
    const { roots } = await ground();
    expect(await outcome(roots.existing(given))).toBe('NOT_FOUND');
    expect(await outcome(roots.creatable(given))).toBe('NOT_FOUND');
  });

  it('may have a name of 255 bytes', async () => {
    const { root, roots } = await ground();
    const name = 'n'.repeat(255);
    expect(await roots.creatable(name)).toMatchObject({ real: path.join(root, name), exists: false });
  });
});

/** Reads and creates by the path; outside, also with something there. */
async function attack(...[, given, existing, creatable]: Attack): Promise<void> {
  const { root, roots } = await ground();
  const target = given(root);
  expect([await outcome(roots.existing(target)), await outcome(roots.creatable(target))]).toEqual([existing, creatable]);
  if (existing !== OUT || path.dirname(target) !== path.dirname(root)) return;
  await mkdir(target);
  expect([await outcome(roots.existing(target)), await outcome(roots.creatable(target))]).toEqual([existing, creatable]);
}
