import { execFileSync } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { afterEach, describe, expect, it, vi } from 'vitest';

import { connectGit, repositoryOf, temporaryDirectory } from '../temporary.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('the git of the machine', () => {
  it('is refused where it is too old to be kept from running what is planted', async () => {
    const top = await repositoryOf([['Begin', { a: 'x' }]]);
    const bin = await temporaryDirectory();
    await writeFile(path.join(bin, 'git'), '#!/bin/sh\necho git version 2.37.9\n');
    await chmod(path.join(bin, 'git'), 0o755);
    vi.stubEnv('PATH', `${bin}:${process.env['PATH']}`);
    await using session = await connectGit({ directories: [top] });
    expect(await session.fails('git_status')).toMatch(/^GIT_TOO_OLD: git 2\.37\.9 .*\ninstall git 2\.38 or newer$/);
  });

  it.each([
    ['git_status', {}],
    ['git_log', { revision: 'main' }],
    ['git_show', { revision: 'main' }],
    ['git_diff', { target: 'HEAD~1..HEAD' }],
    ['git_diff_unstaged', {}],
    ['git_diff_staged', {}],
    ['git_branch', { contains: 'HEAD~1' }],
    ['git_blame', { path: 'a' }],
  ])('is started once by a tool that reads, when the repository is known: %s', async (tool, input) => {
    const top = await repositoryOf([
      ['Begin', { a: 'x\n' }],
      ['Extend', { a: 'x\ny\n' }],
    ]);
    const bin = await temporaryDirectory();
    const started = path.join(bin, 'started');
    const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    await writeFile(path.join(bin, 'git'), `#!/bin/sh\necho "$*" >>${started}\nexec ${real} "$@"\n`);
    await chmod(path.join(bin, 'git'), 0o755);
    vi.stubEnv('PATH', `${bin}:${process.env['PATH']}`);
    await using session = await connectGit({ directories: [top] });
    await session.call('git_show', { revision: 'HEAD' });
    await writeFile(started, '');
    await session.call(tool, input);
    const commands = (await readFile(started, 'utf8')).split('\n').filter((line) => line !== '');
    expect(commands).toHaveLength(1);
  });

  it('is missed where there is none', async () => {
    const top = await repositoryOf([['Begin', { a: 'x' }]]);
    vi.stubEnv('PATH', await temporaryDirectory());
    await using session = await connectGit({ directories: [top] });
    expect(await session.fails('git_status')).toMatch(/^GIT_NOT_FOUND: git could not be started/);
  });
});
