import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterEach, describe, expect, it, vi } from 'vitest';

import { connectGit, repositoryOf, temporaryDirectory, writeIn } from '../../fixtures/temporary.ts';

interface Tools {
  readonly base: string;
  readonly top: string;
  readonly marker: string;
}

/**
 * Creates a project and puts its directory of programs, which contains a `git`, first on the search path, as `npx` does. A link
 * to that directory is second.
 */
async function planted(): Promise<Tools> {
  const base = await temporaryDirectory();
  const top = await repositoryOf([['Begin', { a: 'x' }]], path.join(base, 'project'));
  const marker = path.join(base, 'executed');
  const bin = path.join(top, 'node_modules/.bin');
  const real = execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim();
  await writeIn(top, 'node_modules/.bin/git', `#!/bin/sh\ntouch ${marker}\nexec ${real}/git "$@"\n`);
  await chmod(path.join(bin, 'git'), 0o755);
  await symlink(bin, path.join(base, 'link'));
  vi.stubEnv('PATH', [bin, path.join(base, 'link'), process.env['PATH']].join(path.delimiter));
  return { base, top, marker };
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('the search path of git', () => {
  it.each([
    ['the operator allows', ({ top }: Tools) => ({ directories: [top] })],
    ['the operator allows above the repository', ({ base }: Tools) => ({ directories: [base] })],
    ['the client allows, if the operator names none', ({ top }: Tools) => ({ directories: [], named: top })],
  ])('excludes a directory that %s', async (_, directoriesOf) => {
    const tools = await planted();
    const { directories, named } = { named: undefined, ...directoriesOf(tools) };
    const roots = named === undefined ? {} : { roots: () => [{ uri: pathToFileURL(named).href }] };
    await using session = await connectGit({ directories }, 'modern', roots);
    expect(await session.text('git_status', { repo_path: tools.top })).toContain('On branch main');
    expect(existsSync(tools.marker)).toBe(false);
  });

  it('includes all other directories', async () => {
    const { base, marker } = await planted();
    const other = await repositoryOf([['Begin', { a: 'x' }]], path.join(base, 'other'));
    await using session = await connectGit({ directories: [other] });
    await session.call('git_status');
    expect(existsSync(marker)).toBe(true);
  });
});

describe('the git executable', () => {
  it('is rejected if it is too old to ignore embedded bare repositories', async () => {
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
  ])('is started once per call of a reading tool in a known repository: %s', async (tool, input) => {
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

  it('is reported as missing if the search path contains none', async () => {
    const top = await repositoryOf([['Begin', { a: 'x' }]]);
    vi.stubEnv('PATH', await temporaryDirectory());
    await using session = await connectGit({ directories: [top] });
    expect(await session.fails('git_status')).toMatch(/^GIT_NOT_FOUND: git could not be started/);
  });
});
