import { symlink } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { connectGit, git, repositoryOf, writeIn } from '../fixtures/temporary.ts';
import { CALLS } from '../fixtures/attacks/calls.ts';

const UNTRUSTED: readonly (readonly [string, string, string])[] = [
  ['a clean filter', 'filter.planted.clean', 'touch x'],
  ['a smudge filter', 'filter.planted.smudge', 'touch x'],
  ['a filter process', 'filter.planted.process', 'touch x'],
  ['a filter that calls itself lfs', 'filter.lfs.clean', 'git-lfs clean -- %f; touch x'],
  ['a merge driver', 'merge.planted.driver', 'touch x'],
  ['an upload pack', 'remote.origin.uploadpack', 'touch x'],
  ['a receive pack', 'remote.origin.receivepack', 'touch x'],
  ['a remote helper', 'remote.origin.vcs', 'ext'],
  ['a promisor remote', 'remote.origin.promisor', 'true'],
  ['a partial clone', 'extensions.partialClone', 'origin'],
  ['a rewritten scheme', 'url.ext::sh -c x.insteadOf', 'https://example.com/'],
  ['a git proxy', 'core.gitProxy', 'touch x'],
  ['a merge strategy', 'pull.twohead', 'planted'],
  ['one of several merge strategies', 'pull.octopus', 'octopus planted'],
  ['a submodule update command', 'submodule.sub.update', '!touch x'],
  ['a configured hook', 'hook.planted.command', 'touch x'],
  ['a transfer agent of lfs', 'lfs.customtransfer.planted.path', 'touch x'],
  ['a transfer agent that needs no server', 'lfs.standalonetransferagent', 'planted'],
  ['a transfer agent for one server', 'lfs.https://example.com.standalonetransferagent', 'planted'],
  ['an extension of lfs', 'lfs.extension.planted.clean', 'touch x'],
  ['an include from outside', 'include.path', '/etc/passwd'],
  ['an include from the home of another user', 'include.path', '~daemon/config'],
  ['an include from where git is', 'include.path', '%(prefix)/etc/passwd'],
  ['a file of attributes outside', 'core.attributesFile', '/etc/passwd'],
  ['a file of ignored names outside', 'core.excludesFile', '/etc/passwd'],
  ['a conditional include from outside', 'includeIf.gitdir:/nowhere.path', '../../../outside'],
  ['an include that depends on the branch', 'includeIf.onbranch:evil.path', 'inside.config'],
  ['a file of ignored revisions outside', 'blame.ignoreRevsFile', '/etc/passwd'],
];

describe('a repository whose configuration names programs', () => {
  it.each(UNTRUSTED)('is rejected by every tool: %s', async (_, key, value) => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'x' }]]);
    git(top, ['config', key, value], { env: { GIT_CONFIG_NOSYSTEM: '1' } });
    await using session = await connectGit({ directories: [top] });
    for (const [tool, input] of CALLS) expect(await session.fails(tool, input), tool).toMatch(/^REPO_UNTRUSTED: /);
  });

  it.each(['listed', 'all'] as const)('is used with --trust %s', async (trust) => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'x', '.gitattributes': '*.txt filter=upper\n' }]]);
    git(top, ['config', 'filter.upper.clean', 'tr a-z A-Z']);
    await writeIn(top, 'a.txt', 'words');
    await using session = await connectGit({ directories: [top], trust });
    expect(await session.text('git_diff_unstaged')).toContain('+WORDS');
  });

  it('is trusted with --trust listed only if its own path is given', async () => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'x' }]]);
    git(top, ['config', 'filter.upper.clean', 'tr a-z A-Z']);
    await using session = await connectGit({ directories: [path.dirname(top)], trust: 'listed' });
    expect(await session.fails('git_status')).toMatch(/^REPO_UNTRUSTED/);
  });

  it('is rejected, and accepted again, if the configuration changes between two calls', async () => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'x' }]]);
    await using session = await connectGit({ directories: [top] });
    await session.call('git_status');
    git(top, ['config', 'filter.planted.clean', 'touch x']);
    expect(await session.fails('git_status')).toMatch(/^REPO_UNTRUSTED/);
    git(top, ['config', '--unset', 'filter.planted.clean']);
    expect(await session.text('git_status')).toContain('On branch main');
  });

  it.each([
    ['an included file', 'shared.config', ''],
    ['an included file that did not exist', 'later.config', ''],
    ['a file that an included file includes', 'nested.config', ''],
    ['the target of an included link', 'target.config', ''],
    ['the configuration of the work tree', '.git/config.worktree', '[core]\n'],
  ])('is rejected if the program is added in %s', async (_, file, before) => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'x' }]]);
    await writeIn(top, 'shared.config', '[include]\n\tpath = nested.config\n');
    await writeIn(top, 'nested.config', '[user]\n\tname = Nested\n');
    await writeIn(top, 'target.config', '[user]\n\tname = Target\n');
    await symlink(path.join(top, 'target.config'), path.join(top, 'link.config'));
    for (const name of ['shared', 'later', 'link']) git(top, ['config', '--add', 'include.path', `../${name}.config`]);
    git(top, ['config', 'extensions.worktreeConfig', 'true']);
    await using session = await connectGit({ directories: [top] });
    await session.call('git_log');
    await writeIn(top, file, `${before}[filter "planted"]\n\tclean = touch x\n`);
    expect(await session.fails('git_log')).toMatch(/^REPO_UNTRUSTED: .*filter\.planted\.clean/);
  });

  it('is used if it contains only the settings of git-lfs, or an include inside', async () => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'x', 'shared.config': '[user]\n\tname = Shared\n' }]]);
    git(top, ['config', 'filter.lfs.clean', 'git-lfs clean -- %f']);
    git(top, ['config', 'filter.lfs.process', 'git-lfs filter-process']);
    git(top, ['config', 'include.path', '../shared.config']);
    await using session = await connectGit({ directories: [top] });
    expect(await session.text('git_status')).toBe('On branch main\nNo changes');
  });
});
