import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { explainGitFailure } from '../../../src/repository/process/failures.ts';
import { connectGit, git, repositoryOf } from '../../fixtures/temporary.ts';

const OID = '1'.repeat(40);

function code(words: string): string {
  const { message } = explainGitFailure('commit', { code: 128, stdout: Buffer.alloc(0), stderr: words, isTruncated: false });
  return /another git process moved the branch/.test(message) ? 'moved' : message;
}

describe('a reference that git cannot lock', () => {
  it.each([
    `fatal: cannot lock ref 'HEAD': is at ${OID} but expected ${OID}`,
    `error: cannot lock ref 'refs/heads/main': is at ${OID} but expected ${OID}\nfatal: something else`,
    "fatal: cannot lock ref 'HEAD': reference already exists",
    "fatal: cannot lock ref 'HEAD': unable to resolve reference 'refs/heads/main'",
  ])('counts as a branch that another process moved: %s', (words) => {
    expect(code(words)).toBe('moved');
  });

  it.each([
    "fatal: cannot lock ref 'HEAD': unable to resolve reference 'refs/heads/main': reference broken",
    "fatal: cannot lock ref 'HEAD': unable to resolve reference 'refs/heads/main': Permission denied",
    "error: cannot lock ref 'refs/remotes/origin/Topic': is at 1 but expected 2",
    "error: cannot lock ref 'refs/tags/v1': reference already exists",
    "fatal: cannot lock ref 'refs/heads/a/b': 'refs/heads/a' exists; cannot create 'refs/heads/a/b'",
  ])('is reported with the message of git: %s', (words) => {
    expect(code(words)).toContain(words.replace(/^(?:fatal|error): /, ''));
  });

  it('is not reported as a concurrently moved branch if the file of the reference is corrupt', async () => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'one\n' }]]);
    git(top, ['branch', 'other']);
    await mkdir(path.join(top, '.git/refs/heads'), { recursive: true });
    await writeFile(path.join(top, '.git/refs/heads/other'), 'broken\n');
    await using session = await connectGit({ directories: [top] });
    expect(await session.fails('git_create_branch', { branch_name: 'other' })).not.toContain('another git process');
  });
});
