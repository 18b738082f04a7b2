import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { connectProcess, ERAS, type Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { CONFIRMS } from './fixtures/confirming.ts';
import { connectGit, git, repositoryOf, writeIn } from './fixtures/temporary.ts';

const BIN = fileURLToPath(new URL('../bin/mcp-git.js', import.meta.url));
const NUMBERS = Array.from({ length: 10 }, (_, number) => number);

/** Stages and commits a file. Returns `done`, or the text of the error. */
async function commitFile(session: Session, name: string): Promise<string> {
  for (const [tool, input] of [
    ['git_add', { files: [name] }],
    ['git_commit', { message: `Add ${name}`, paths: [name] }],
  ] as const) {
    const { isError, content } = await session.client.callTool({ name: tool, arguments: input });
    const [block] = content;
    if (isError === true) return block?.type === 'text' ? block.text : '';
  }
  return 'done';
}

describe('twenty commits at once', () => {
  it('all succeed if one server makes them', async () => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'x' }]]);
    for (const number of NUMBERS) for (const who of ['x', 'y']) await writeIn(top, `${who}${number}`, who);
    await using first = await connectGit({ directories: [top] });
    const calls = NUMBERS.flatMap((number) => [`x${number}`, `y${number}`]).map((name) => commitFile(first, name));
    expect(await Promise.all(calls)).toEqual(calls.map(() => 'done'));
    expect(git(top, ['log', '--format=%s']).trim().split('\n')).toHaveLength(21);
    expect(git(top, ['status', '--porcelain'])).toBe('');
  });

  it('succeed or fail with a conflict if two servers make them, and nothing is lost', async () => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'x' }]]);
    for (const number of NUMBERS) for (const who of ['x', 'y']) await writeIn(top, `${who}${number}`, who);
    const options = { command: process.execPath, args: [BIN, top] };
    await using first = await connectProcess(options);
    await using second = await connectProcess(options);
    const names = NUMBERS.flatMap((number) => [`x${number}`, `y${number}`]);
    const outcomes = await Promise.all(names.map((name) => commitFile(name.startsWith('x') ? first : second, name)));
    expect(
      outcomes.filter((outcome) => !/^(?:done$|LOCKED: |CONFLICT: another git process moved the branch)/.test(outcome)),
    ).toEqual([]);
    expect(outcomes).toContain('done');
    const made = names.filter((_, position) => outcomes[position] === 'done');
    const subjects = git(top, ['log', '--format=%s']).trim().split('\n');
    expect(made.filter((name) => !subjects.includes(`Add ${name}`))).toEqual([]);
    expect(subjects).toHaveLength(made.length + 1);
    // Uncommitted files remain in the index or the work tree.
    expect(git(top, ['ls-files', '--cached', '--others', '--deduplicate']).trim().split('\n').sort()).toEqual(
      ['a.txt', ...names].sort(),
    );
  });
});

describe.each(ERAS)('a lock that was left behind, on a %s connection,', (era) => {
  it('is reported by every tool that needs it, and never deleted', async () => {
    const top = await repositoryOf([
      ['Begin', { 'a.txt': 'x' }],
      ['Extend', { 'b.txt': 'x' }],
    ]);
    git(top, ['branch', 'other', 'HEAD~1']);
    await writeIn(top, 'a.txt', 'changed');
    const lock = await writeIn(top, '.git/index.lock', '');
    await using session = await connectGit({ directories: [top] }, era, CONFIRMS);
    for (const [tool, input] of [
      ['git_add', { all: true }],
      ['git_commit', { message: 'x', allow_empty: true }],
      ['git_reset', { paths: ['a.txt'] }],
      ['git_reset', { mode: 'hard' }],
      ['git_restore', { paths: ['a.txt'] }],
      ['git_rm', { paths: ['a.txt'] }],
      ['git_mv', { source: 'a.txt', destination: 'c.txt' }],
      ['git_stash_push', {}],
      ['git_checkout', { branch_name: 'other' }],
    ] as const)
      expect(await session.fails(tool, input), tool).toMatch(/^LOCKED/);
    expect(git(top, ['stash', 'list'])).toBe('');
    expect(git(top, ['diff', '--name-only'])).toBe('a.txt\n');
    await rm(lock);
    expect(await session.text('git_add', { all: true })).toBe('staged a.txt');
  });
});
