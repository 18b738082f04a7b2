import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { operationIn } from '../../src/repository/operation.ts';
import { git, repositoryOf, temporaryDirectory, writeIn } from '../temporary.ts';

type Facts = Awaited<ReturnType<typeof operationIn>>;

/** `main` and `topic`, whose two commits each conflict with it. */
async function divided(): Promise<string> {
  const top = await repositoryOf([['Begin', { 'a.txt': 'one\n' }]]);
  git(top, ['switch', '--quiet', '--create', 'topic']);
  for (const content of ['two', 'three']) {
    await writeIn(top, 'a.txt', `${content}\n`);
    git(top, ['commit', '--quiet', '--all', `--message=${content}`]);
  }
  git(top, ['switch', '--quiet', 'main']);
  await writeIn(top, 'a.txt', 'four\n');
  git(top, ['commit', '--quiet', '--all', '--message=four']);
  return top;
}

function found(top: string): Promise<Facts> {
  const gitDir = path.join(top, '.git');
  return operationIn({ ground: { top, isBare: false, gitDir, commonDir: gitDir } });
}

/** What git exits with where it stops. */
function stopped(top: string, ...args: readonly string[]): void {
  expect(() => git(top, args)).toThrow();
}

const STOPS: readonly (readonly [string, (top: string) => void, (oid: (name: string) => string) => Facts])[] = [
  ['nothing', () => undefined, () => undefined],
  ['a merge', (top) => stopped(top, 'merge', 'topic'), (oid) => ({ kind: 'merge', commit: oid('topic') })],
  [
    'a rebase',
    (top) => stopped(top, 'rebase', 'main', 'topic'),
    (oid) => ({
      kind: 'rebase',
      steps: true,
      onto: oid('main'),
      branch: 'topic',
      before: oid('topic'),
      commit: oid('topic~1'),
      done: 1,
      total: 2,
    }),
  ],
  [
    'a rebase by patches',
    (top) => stopped(top, 'rebase', '--apply', 'main', 'topic'),
    (oid) => ({ kind: 'rebase', steps: false, onto: oid('main'), branch: 'topic', before: oid('topic'), done: 1, total: 2 }),
  ],
  ['a pick', (top) => stopped(top, 'cherry-pick', 'topic'), (oid) => ({ kind: 'cherry-pick', commit: oid('topic') })],
  [
    'several picks, one of which was committed by hand',
    (top) => {
      stopped(top, 'cherry-pick', 'topic~1', 'topic');
      git(top, ['commit', '--quiet', '--all', '--no-edit']);
    },
    () => ({ kind: 'cherry-pick' }),
  ],
  ['a revert', (top) => stopped(top, 'revert', '--no-edit', 'main~1'), (oid) => ({ kind: 'revert', commit: oid('main~1') })],
  [
    'a mail',
    (top) => {
      const input = git(top, ['format-patch', '--stdout', '-1', 'topic']);
      expect(() => git(top, ['am'], { input })).toThrow();
    },
    () => ({ kind: 'am', steps: false, done: 1, total: 1 }),
  ],
  ['a search for a bad commit', (top) => void git(top, ['bisect', 'start']), () => ({ kind: 'bisect' })],
];

describe('the operation in progress', () => {
  it.each(STOPS)('is known: %s', async (_, stop, factsOf) => {
    const top = await divided();
    const names = new Map(['topic', 'topic~1', 'main', 'main~1'].map((name) => [name, git(top, ['rev-parse', name]).trim()]));
    stop(top);
    expect(await found(top)).toEqual(factsOf((name) => names.get(name) ?? ''));
  });

  it('is not read through a link, and not waited for', async () => {
    const top = await divided();
    const outside = path.join(await temporaryDirectory(), 'secret');
    await writeFile(outside, `${'a'.repeat(40)}\n`);
    await mkdir(path.join(top, '.git/rebase-merge'));
    await symlink(outside, path.join(top, '.git/rebase-merge/onto'));
    await symlink('/dev/zero', path.join(top, '.git/rebase-merge/end'));
    expect(await found(top)).toEqual({ kind: 'rebase', steps: true });
    await rm(path.join(top, '.git/rebase-merge'), { recursive: true });
    await symlink(path.dirname(outside), path.join(top, '.git/rebase-merge'));
    expect(await found(top)).toEqual({ kind: 'rebase', steps: true });
  });
});
