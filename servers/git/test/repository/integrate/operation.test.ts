import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { readOperation } from '../../../src/repository/integrate/operation.ts';
import { git, repositoryOf, temporaryDirectory, writeIn } from '../../fixtures/temporary.ts';

type Facts = Awaited<ReturnType<typeof readOperation>>;

/** Creates `main`, and `topic` with two commits that conflict with `main`. */
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
  return readOperation({ layout: { top, isBare: false, gitDir, commonDir: gitDir } });
}

/** Runs a git command that must stop with an error. */
function runUntilStop(top: string, ...args: readonly string[]): void {
  expect(() => git(top, args)).toThrow();
}

const STOPS: readonly (readonly [string, (top: string) => void, (oid: (name: string) => string) => Facts])[] = [
  ['no operation', () => undefined, () => undefined],
  ['a merge', (top) => runUntilStop(top, 'merge', 'topic'), (oid) => ({ kind: 'merge', commit: oid('topic') })],
  [
    'a rebase',
    (top) => runUntilStop(top, 'rebase', 'main', 'topic'),
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
    (top) => runUntilStop(top, 'rebase', '--apply', 'main', 'topic'),
    (oid) => ({ kind: 'rebase', steps: false, onto: oid('main'), branch: 'topic', before: oid('topic'), done: 1, total: 2 }),
  ],
  ['a cherry-pick', (top) => runUntilStop(top, 'cherry-pick', 'topic'), (oid) => ({ kind: 'cherry-pick', commit: oid('topic') })],
  [
    'several picks, one of which was committed by hand',
    (top) => {
      runUntilStop(top, 'cherry-pick', 'topic~1', 'topic');
      git(top, ['commit', '--quiet', '--all', '--no-edit']);
    },
    () => ({ kind: 'cherry-pick' }),
  ],
  ['a revert', (top) => runUntilStop(top, 'revert', '--no-edit', 'main~1'), (oid) => ({ kind: 'revert', commit: oid('main~1') })],
  [
    'a mail',
    (top) => {
      const input = git(top, ['format-patch', '--stdout', '-1', 'topic']);
      expect(() => git(top, ['am'], { input })).toThrow();
    },
    () => ({ kind: 'am', steps: false, done: 1, total: 1 }),
  ],
  ['a bisect', (top) => void git(top, ['bisect', 'start']), () => ({ kind: 'bisect' })],
];

describe('the operation in progress', () => {
  it.each(STOPS)('is detected: %s', async (_, stop, factsOf) => {
    const top = await divided();
    const names = new Map(['topic', 'topic~1', 'main', 'main~1'].map((name) => [name, git(top, ['rev-parse', name]).trim()]));
    stop(top);
    expect(await found(top)).toEqual(factsOf((name) => names.get(name) ?? ''));
  });

  it('is not read through a link or from a pipe', async () => {
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
