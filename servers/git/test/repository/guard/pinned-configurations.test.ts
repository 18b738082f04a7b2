import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { lstat, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { thisProcess } from '@org/mcp-host';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { AllowedDirectories } from '../../../src/repository/process/allowed-directories.ts';
import { Guard } from '../../../src/repository/guard/guard.ts';
import { PinnedConfigurations, PINNED_PREFIX } from '../../../src/repository/guard/pinned-configurations.ts';
import type { RepositoryLayout } from '../../../src/repository/guard/repository-layout.ts';
import { GitProgram } from '../../../src/repository/process/git-program.ts';
import { gitHost } from '../../fixtures/git-host.ts';
import { connectGit, git, repositoryOf, temporaryDirectory, writeIn } from '../../fixtures/temporary.ts';

const ODD = [
  '[plain]\n\tkey = value\n\tempty =\n\tvalueless\n\tmany = one\n\tmany = two\n\tcomment = "a # b ; c"',
  '\tspaces = "  around  "\n\tquoted = "say \\"no\\""\n\tbackslash = C:\\\\new\\\\table\n\tlines = "one\\ntwo\\tthree\\bfour"',
  '\tcr = "a\rb"',
  '[Section "Sub \\"quoted\\" \\\\ .dots. é"]\n\tCamelCase = Yes',
  '[section ""]\n\tempty = subsection',
  '[old.Style]\n\tkey = lower',
  '[include]\n\tpath = more.config',
].join('\n');

/**
 * Returns the settings of the repository itself as `git config --list -z` prints them. Omits `include.*` and
 * `extensions.worktreeConfig`.
 */
function listed(top: string, env: Readonly<Record<string, string>>): readonly string[] {
  const output = git(top, ['config', '--list', '-z', '--show-scope'], { env });
  const fields = output.split('\0');
  const own = fields.flatMap((scope, position) =>
    scope === 'local' || scope === 'worktree' ? (fields[position + 1] ?? '') : [],
  );
  return own.filter((entry) => !/^(?:include\.|extensions\.worktreeconfig)/.test(entry));
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

interface Pinned {
  readonly pins: PinnedConfigurations;
  readonly layout: RepositoryLayout;
  readonly env: () => Readonly<Record<string, string>>;
}

async function pinned(top: string): Promise<Pinned> {
  const guard = new Guard(new GitProgram(), new AllowedDirectories());
  const pins = new PinnedConfigurations();
  onTestFinished(() => pins.close());
  const signal = AbortSignal.timeout(60_000);
  const { layout, configuration } = await guard.examine({ directory: top, given: top, ceiling: path.dirname(top), signal });
  return { pins, layout, env: () => pins.bind(layout, configuration) };
}

describe('a pinned configuration', () => {
  it('contains exactly the settings that git lists, in the same order', async () => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'x' }]]);
    await writeIn(top, '.git/more.config', '[plain]\n\tmany = three\n[core]\n\tbare\n');
    await writeIn(top, '.git/config', `${await readFile(path.join(top, '.git/config'), 'utf8')}${ODD}\n`);
    git(top, ['config', 'extensions.worktreeConfig', 'true']);
    git(top, ['config', '--worktree', 'plain.many', 'four']);
    const { env } = await pinned(top);
    const expected = listed(top, {});
    expect(expected).toContain('plain.many\nfour');
    expect(listed(top, env())).toEqual(expected);
  });

  it('keeps bytes that are not UTF-8', async () => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'x' }]]);
    const before = await readFile(path.join(top, '.git/config'));
    await writeFile(
      path.join(top, '.git/config'),
      Buffer.concat([before, Buffer.from('[user]\n\tname = J\xFCrgen\n', 'latin1')]),
    );
    const { env } = await pinned(top);
    const copy = await readFile(path.join(env()['GIT_COMMON_DIR'] ?? '', 'config'), 'latin1');
    expect(copy).toContain('name = "J\xFCrgen"');
  });

  it.each([[['--object-format=sha256']], [['--bare']]])('works in a repository created by git init %s', async (flags) => {
    const top = path.join(await temporaryDirectory(), 'project');
    git('/', ['init', '--quiet', ...flags, top]);
    await using session = await connectGit({ directories: [top] });
    expect(await session.text('git_ls_files', { kind: 'tracked' }).catch((error: Error) => error.message)).toMatch(
      /No files|NO_WORK_TREE|^$|no files/i,
    );
    const { env } = await pinned(top);
    const questions = ['rev-parse', '--is-bare-repository', '--show-object-format', '--absolute-git-dir'];
    expect(git(top, questions, { env: env() })).toBe(git(top, questions));
  });

  it('is private, and is removed when the server is closed', async () => {
    vi.stubEnv('TMPDIR', await temporaryDirectory());
    onTestFinished(() => void vi.unstubAllEnvs());
    const top = await repositoryOf([['Begin', { 'a.txt': 'x' }]]);
    const copies = (): readonly string[] => readdirSync(tmpdir()).filter((name) => name.startsWith(PINNED_PREFIX));
    {
      await using session = await connectGit({ directories: [top] });
      await session.call('git_status');
      expect(copies()).toHaveLength(1);
      expect((await lstat(path.join(tmpdir(), copies()[0] ?? ''))).mode & 0o777).toBe(0o700);
    }
    expect(copies()).toEqual([]);
  });

  it('is removed by the next server if a killed server left it behind', async () => {
    const parent = await temporaryDirectory();
    vi.stubEnv('TMPDIR', parent);
    onTestFinished(() => void vi.unstubAllEnvs());
    const owner = thisProcess();
    const owners = { gone: { ...owner, pid: spawnSync('true').pid }, alive: owner, elsewhere: { ...owner, machine: 'another' } };
    for (const [name, each] of Object.entries(owners))
      await writeIn(parent, `${PINNED_PREFIX}${name}/owner.json`, JSON.stringify(each));
    await mkdir(path.join(parent, `${PINNED_PREFIX}begun`));
    const top = await repositoryOf([['Begin', { 'a.txt': 'x' }]]);
    const { env } = await pinned(top);
    env();
    const left = ['gone', 'alive', 'elsewhere', 'begun'].filter((name) =>
      existsSync(path.join(parent, `${PINNED_PREFIX}${name}`)),
    );
    expect(left).toEqual(['alive', 'elsewhere', 'begun']);
  });

  it.each([
    ['is removed', (directory: string) => rm(directory, { recursive: true })],
    ['loses its configuration', (directory: string) => rm(path.join(directory, 'config'))],
    ['is written to', (directory: string) => writeFile(path.join(directory, 'config'), '[filter "x"]\n\tclean = touch x\n')],
  ])('is created again if it %s', async (_, change) => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'x' }]]);
    const { env } = await pinned(top);
    const first = env()['GIT_COMMON_DIR'] ?? '';
    expect(env()['GIT_COMMON_DIR']).toBe(first);
    await change(first);
    const second = env();
    expect(second['GIT_COMMON_DIR']).not.toBe(first);
    expect(git(top, ['config', '--local', 'user.name'], { env: second }).trim()).toBe('Ann');
  });
});

describe('a copy of a configuration that is in use', () => {
  it('is kept while many other copies are created, and is removed afterwards', async () => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'x' }]]);
    const { pins, env, layout } = await pinned(top);
    const used: { env?: Readonly<Record<string, string>> | undefined } = { env: env() };
    const kept = String(used.env?.['GIT_COMMON_DIR']);
    const others = Array.from({ length: 300 }, (_, number) => Buffer.from(`[other]\n\tnumber = ${number}\n`));
    for (const repository of others) pins.bind(layout, { repository, user: Buffer.alloc(0) });
    expect(existsSync(path.join(kept, 'config'))).toBe(true);
    expect(git(top, ['config', '--local', 'user.name'], { env: used.env ?? {} }).trim()).toBe('Ann');
    used.env = undefined;
    await vi.waitFor(
      () => {
        collectGarbage();
        expect(existsSync(kept)).toBe(false);
        expect(readdirSync(path.dirname(kept))).toHaveLength(200);
      },
      { timeout: 30_000 },
    );
  });

  it('is removed once it was replaced', async () => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'x' }]]);
    const { env } = await pinned(top);
    const first = String(env()['GIT_COMMON_DIR']);
    await writeFile(path.join(first, 'config'), '');
    expect(env()['GIT_COMMON_DIR']).not.toBe(first);
    await vi.waitFor(
      () => {
        collectGarbage();
        expect(existsSync(first)).toBe(false);
      },
      { timeout: 30_000 },
    );
  });
});

describe('a change of the configuration by a tool', () => {
  it('is written to the configuration file of the repository', async () => {
    const host = await gitHost();
    await host.add('project');
    const top = await repositoryOf([['Begin', { 'a.txt': 'x' }]]);
    await using session = await connectGit({ directories: [top], remoteHosts: [host.origin], protectedBranches: [] });
    await session.call('git_remote_add', { name: 'origin', url: host.url('project') });
    await session.call('git_push', { branch: 'main', set_upstream: true });
    expect(git(top, ['rev-parse', '--abbrev-ref', 'main@{upstream}']).trim()).toBe('origin/main');
    git(top, ['branch', '--no-track', 'topic']);
    await session.call('git_push', { branch: 'topic' });
    git(top, ['branch', '--quiet', '-D', 'topic']);
    await session.call('git_checkout', { branch_name: 'origin/topic', track: true });
    expect(git(top, ['rev-parse', '--abbrev-ref', 'topic@{upstream}']).trim()).toBe('origin/topic');
    await session.call('git_rename_branch', { branch_name: 'topic', new_name: 'renamed' });
    expect(git(top, ['config', 'branch.renamed.merge']).trim()).toBe('refs/heads/topic');
    expect(git(top, ['branch', '--show-current']).trim()).toBe('renamed');
    await session.call('git_checkout', { branch_name: 'main' });
    await session.call('git_delete_branch', { branch_name: 'renamed' });
    expect(git(top, ['config', '--list'])).not.toContain('branch.renamed');
  });

  it('keeps the upstream of a branch without a remote-tracking branch in the file', async () => {
    const host = await gitHost();
    await host.add('project');
    const top = await repositoryOf([['Begin', { 'a.txt': 'x' }]]);
    git(top, ['config', 'remote.origin.url', host.url('project')]);
    await using session = await connectGit({ directories: [top], remoteHosts: [host.origin], protectedBranches: [] });
    await session.call('git_push', { branch: 'main', set_upstream: true });
    expect(git(top, ['config', '--get-regexp', '^branch']).trim()).toBe(
      'branch.main.remote origin\nbranch.main.merge refs/heads/main',
    );
  });
});

describe('a shallow repository', () => {
  it('has its complete history after all commits were fetched', async () => {
    const host = await gitHost();
    const source = await repositoryOf([
      ['Begin', { a: '1' }],
      ['Next', { a: '2' }],
      ['Last', { a: '3' }],
    ]);
    await host.add('project', source);
    const root = await temporaryDirectory();
    await using session = await connectGit({ directories: [root], remoteHosts: [host.origin] });
    await session.call('git_clone', { url: host.url('project'), path: 'copy', depth: 1 });
    const repo = { repo_path: 'copy' };
    const shallow = path.join(root, 'copy/.git/shallow');
    expect(existsSync(shallow)).toBe(true);
    await session.call('git_fetch', { ...repo, depth: 2 });
    expect(await session.text('git_log', repo)).not.toContain('Begin');
    await session.call('git_fetch', { ...repo, depth: 100 });
    expect(existsSync(shallow)).toBe(false);
    expect(await session.text('git_log', repo)).toContain('Begin');
  });
});
