import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { grow } from '../fixtures/branches.ts';
import { CONFIRMS } from '../fixtures/confirming.ts';
import { gitHost } from '../fixtures/git-host.ts';
import { connectGit, git, repositoryOf, userConfiguration, writeIn } from '../fixtures/temporary.ts';
import { gitThatFirst } from '../fixtures/attacks/hostile-configuration.ts';

const FILES = { 'a.txt': 'one\n', '.gitattributes': '*.txt filter=planted\n' };
const PERSON = '[user]\n\tname = Ann\n\temail = ann@home\n';

interface Place {
  readonly home: string;
  readonly work: string;
  readonly top: string;
  readonly marker: string;
  /** A program that writes the marker. */
  readonly program: string;
}

/** Creates a home directory. In it, `work` contains a repository, and a `.gitconfig` that the user's configuration includes. */
async function workDirectory(shared = ''): Promise<Place> {
  const home = await userConfiguration(PERSON);
  const work = path.join(home, 'work');
  const top = path.join(work, 'project');
  await mkdir(top, { recursive: true });
  git(top, ['init', '--quiet', '--initial-branch=main']);
  git(top, ['config', 'user.name', 'Ann']);
  for (const [name, content] of Object.entries(FILES)) await writeIn(top, name, content);
  git(top, ['add', '--all']);
  git(top, ['commit', '--quiet', '--message=Begin']);
  await writeIn(home, '.gitconfig', `${PERSON}[includeIf "gitdir:${work}/"]\n\tpath = ${work}/.gitconfig\n`);
  await writeIn(work, '.gitconfig', shared);
  const marker = path.join(home, 'executed');
  const program = await writeIn(home, 'program', `#!/bin/sh\ntouch ${marker}\ncat\n`);
  await chmod(program, 0o755);
  return { home, work, top, marker, program };
}

function filter({ program }: Place): string {
  return `[filter "planted"]\n\tclean = ${program}\n`;
}

/** Each function writes hostile settings to a file of the user's configuration, and returns the directory to allow. */
const WRITABLE: readonly (readonly [string, (place: Place, hostile: string) => Promise<string>])[] = [
  [
    'a file that the configuration of the user includes',
    async ({ work }, hostile) => {
      await writeIn(work, '.gitconfig', hostile);
      return work;
    },
  ],
  [
    'the main file',
    async ({ home }, hostile) => {
      await writeIn(home, '.gitconfig', PERSON + hostile);
      return home;
    },
  ],
  [
    'the file in the XDG directory',
    async ({ home }, hostile) => {
      await writeIn(home, 'git/config', hostile);
      return home;
    },
  ],
  [
    'the target of a link',
    async ({ home, work }, hostile) => {
      await rename(path.join(home, '.gitconfig'), path.join(work, 'dotfile'));
      await writeIn(work, 'dotfile', PERSON + hostile);
      await symlink(path.join(work, 'dotfile'), path.join(home, '.gitconfig'));
      return work;
    },
  ],
  [
    'a file behind a link in the directory that leads out',
    async ({ home, work }, hostile) => {
      await writeIn(home, 'elsewhere/shared', hostile);
      await symlink(path.join(home, 'elsewhere'), path.join(work, 'link'));
      await writeIn(home, '.gitconfig', `${PERSON}[include]\n\tpath = work/link/shared\n`);
      return work;
    },
  ],
];

describe('user configuration inside an allowed directory', () => {
  it.each(WRITABLE)('may not run programs: %s', async (_, plant) => {
    const place = await workDirectory();
    const { top, marker } = place;
    const directory = await plant(place, filter(place));
    await writeIn(top, 'a.txt', 'two\n');
    await using session = await connectGit({ directories: [directory] });
    expect(await session.fails('git_add', { repo_path: top, files: ['.'] })).toMatch(
      /^REPO_UNTRUSTED.*filter\.planted\.clean\nmove your own settings to a file outside the allowed directories/,
    );
    expect(existsSync(marker)).toBe(false);
    git(top, ['add', '.']);
    expect(existsSync(marker)).toBe(true);
  });

  it('is not read again after it was checked', async () => {
    const place = await workDirectory();
    const { home, work, top, marker } = place;
    const hostile = await writeIn(home, 'hostile', filter(place));
    await gitThatFirst(home, `cp ${hostile} ${work}/.gitconfig`, '--version|*"config --list"*|*rev-parse*--absolute-git-dir*');
    await using session = await connectGit({ directories: [work] });
    await writeIn(top, 'a.txt', 'two\n');
    await session.call('git_add', { repo_path: top, files: ['.'] });
    expect(existsSync(marker)).toBe(false);
    expect(await session.fails('git_add', { repo_path: top, files: ['.'] })).toMatch(/^REPO_UNTRUSTED/);
  });

  it('may set identities and how git treats files', async () => {
    const { work, top, home } = await workDirectory('[user]\n\temail = ann@work\n[core]\n\tautocrlf = input\n');
    await using session = await connectGit({ directories: [work] });
    await writeIn(top, 'b.md', 'one\r\ntwo\r\n');
    await session.call('git_add', { repo_path: top, files: ['.'] });
    await session.call('git_commit', { repo_path: top, message: 'Next' });
    expect(git(top, ['log', '-1', '--format=%an %ae'])).toBe('Ann ann@work\n');
    expect(git(top, ['cat-file', '-p', 'HEAD:b.md'])).toBe('one\ntwo\n');
    // A setting after the include takes precedence over a setting in the included file.
    await writeIn(home, '.gitconfig', `[include]\n\tpath = ${work}/.gitconfig\n${PERSON}[core]\n\tautocrlf = false\n`);
    await writeIn(top, 'c.md', 'one\r\ntwo\r\n');
    await session.call('git_add', { repo_path: top, files: ['.'] });
    await session.call('git_commit', { repo_path: top, message: 'Last' });
    expect(git(top, ['log', '-1', '--format=%ae'])).toBe('ann@home\n');
    expect(git(top, ['cat-file', '-p', 'HEAD:c.md'])).toBe('one\r\ntwo\r\n');
  });

  it('may set the signing key, but not a signing program', async () => {
    const place = await workDirectory();
    const { home, work, top, marker, program } = place;
    await writeIn(
      work,
      '.gitconfig',
      `[user]\n\tsigningKey = ${work}/key\n[gpg]\n\tformat = ssh\n[gpg "ssh"]\n\tprogram = ${program}\n`,
    );
    await writeIn(home, 'bin/ssh-keygen', `#!/bin/sh\necho "$*" > ${home}/asked\nexit 1\n`);
    await chmod(path.join(home, 'bin/ssh-keygen'), 0o755);
    await gitThatFirst(home, ':', '*');
    await using session = await connectGit({ directories: [work] });
    await session.fails('git_commit', { repo_path: top, message: 'Signed', allow_empty: true, sign: true });
    expect(existsSync(marker)).toBe(false);
    expect(existsSync(path.join(home, 'asked'))).toBe(true);
  });

  it('may not set credentials', async () => {
    const place = await workDirectory();
    const { home, work, top, marker, program } = place;
    const host = await gitHost({ account: 'ann:secret' });
    await host.add('project', await repositoryOf([['Begin', FILES]], path.join(home, 'source')));
    git(top, ['remote', 'add', 'origin', host.url('project')]);
    const shared = `[credential]\n\thelper = ${program}\n`;
    await writeIn(work, '.gitconfig', shared);
    await using session = await connectGit({ directories: [work], remoteHosts: [host.origin] });
    expect(await session.fails('git_fetch', { repo_path: top })).toMatch(/^AUTH_REQUIRED/);
    expect(await session.fails('git_clone', { url: host.url('project'), path: path.join(work, 'copy') })).toMatch(
      /^AUTH_REQUIRED/,
    );
    expect(existsSync(marker)).toBe(false);
    // Clients cannot write a file outside the allowed directory, so such a file may set a credential helper, and git runs it.
    await writeIn(home, 'elsewhere', shared);
    await writeIn(home, '.gitconfig', `${PERSON}[includeIf "gitdir:${work}/"]\n\tpath = ${home}/elsewhere\n`);
    await session.fails('git_clone', { url: host.url('project'), path: path.join(work, 'copy') });
    expect(existsSync(marker)).toBe(true);
  });

  it('makes git_clone fail with REPO_UNTRUSTED if it sets a filter, and the filter does not run', async () => {
    const place = await workDirectory();
    const { home, work, marker, program } = place;
    const host = await gitHost();
    await host.add('project', await repositoryOf([['Begin', FILES]], path.join(home, 'source')));
    await writeFile(path.join(work, '.gitconfig'), `[filter "planted"]\n\tsmudge = ${program}\n`);
    await using session = await connectGit({ directories: [work], remoteHosts: [host.origin] });
    const call = { url: host.url('project'), path: path.join(work, 'copy') };
    expect(await session.fails('git_clone', call)).toMatch(/^REPO_UNTRUSTED.*filter\.planted\.smudge/);
    expect(existsSync(marker)).toBe(false);
  });
});

describe('configuration of the user', () => {
  it('may run programs if no client can write it', async () => {
    const place = await workDirectory();
    const { home, work, top, marker } = place;
    await writeIn(home, '.gitconfig', PERSON + filter(place));
    await writeIn(top, 'a.txt', 'two\n');
    await using session = await connectGit({ directories: [work] });
    await session.call('git_add', { repo_path: top, files: ['.'] });
    expect(existsSync(marker)).toBe(true);
  });

  it('is in force as soon as it changes', async () => {
    const { home, work, top } = await workDirectory();
    await using session = await connectGit({ directories: [work] }, 'modern', CONFIRMS);
    const author = async (): Promise<string> => {
      await session.call('git_commit', { repo_path: top, message: 'Next', allow_empty: true });
      return git(top, ['log', '-1', '--format=%ae']).trim();
    };
    expect(await author()).toBe('ann@home');
    await writeIn(work, '.gitconfig', '[user]\n\temail = ann@work\n');
    expect(await author()).toBe('ann@work');
    await writeIn(home, '.gitconfig', `${PERSON}[includeIf "onbranch:topic"]\n\tpath = topic.config\n`);
    await writeIn(home, 'topic.config', '[user]\n\temail = ann@topic\n');
    expect(await author()).toBe('ann@home');
    await session.call('git_create_branch', { repo_path: top, branch_name: 'topic' });
    await session.call('git_checkout', { repo_path: top, branch_name: 'topic' });
    expect(await author()).toBe('ann@topic');
  });

  it.each(['git_continue', 'git_skip'])('is in force for the commits of a rebase that %s finishes', async (tool) => {
    const { home, work, top } = await workDirectory();
    grow(
      top,
      ['theirs', 'main', { Theirs: { 'a.txt': 'theirs\n' } }],
      ['main', 'main', { Ours: { 'a.txt': 'ours\n' }, Last: { 'b.md': 'b\n' } }],
    );
    git(top, ['config', '--unset', 'user.name']);
    const conditional = `[includeIf "gitdir:${work}/"]\n\tpath = ${home}/elsewhere\n`;
    await writeIn(home, '.gitconfig', `[user]\n\tuseConfigOnly = true\n${conditional}`);
    await writeIn(home, 'elsewhere', '[user]\n\tname = Ann\n\temail = ann@work\n[core]\n\tautocrlf = true\n');
    await using session = await connectGit({ directories: [work], protectedBranches: [] }, 'modern', CONFIRMS);
    expect(await session.fails('git_rebase', { repo_path: top, upstream: 'theirs' })).toMatch(/^CONFLICT/);
    if (tool === 'git_continue') {
      await writeIn(top, 'a.txt', 'both\n');
      git(top, ['add', 'a.txt']);
    }
    await session.call(tool, { repo_path: top });
    expect(git(top, ['log', '-1', '--format=%s %cn %ce'])).toBe('Last Ann ann@work\n');
    expect(await readFile(path.join(top, 'b.md'), 'utf8')).toBe('b\r\n');
  });

  it('is in force in a linked work tree', async () => {
    const { home, work, top } = await workDirectory();
    git(top, ['worktree', 'add', '--quiet', '-b', 'linked', '../linked']);
    await writeIn(home, '.gitconfig', `${PERSON}[includeIf "gitdir:${top}/.git/worktrees/"]\n\tpath = elsewhere\n`);
    await writeIn(home, 'elsewhere', '[user]\n\temail = ann@linked\n');
    await using session = await connectGit({ directories: [work] });
    await session.call('git_commit', { repo_path: path.join(work, 'linked'), message: 'Next', allow_empty: true });
    expect(git(top, ['log', '-1', '--format=%ae %ce', 'linked'])).toBe('ann@linked ann@linked\n');
  });
});
