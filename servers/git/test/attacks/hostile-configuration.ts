import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { onTestFinished, vi } from 'vitest';

import { git, repositoryOf, temporaryDirectory, writeIn } from '../temporary.ts';

/** A file of the repository that decides what git does, before and after somebody exchanges it. */
interface Exchanged {
  readonly file: string;
  readonly innocent: string;
  readonly hostile: string;
}

/** A repository whose attributes name drivers that its configuration does not have yet. */
export interface Ambush {
  readonly base: string;
  readonly top: string;
  /** Appears if a program of the repository is started. */
  readonly marker: string;
  readonly exchanged: readonly Exchanged[];
}

const ATTRIBUTES = '* filter=planted merge=planted diff=planted\n';

/** Prepares the repository; none of its files is hostile yet, except its attributes. */
export async function ambush(): Promise<Ambush> {
  const base = await temporaryDirectory();
  const top = path.join(base, 'project');
  const marker = path.join(base, 'executed');
  await repositoryOf(
    [
      ['Begin', { 'a.txt': 'one\n', 'b.bin': 'x\n', '.gitattributes': ATTRIBUTES, 'shared.config': '' }],
      ['Extend', { 'a.txt': 'one\ntwo\n' }],
    ],
    top,
  );
  git(top, ['branch', 'other', 'HEAD~1']);
  git(top, ['config', 'include.path', '../shared.config']);
  git(top, ['config', 'extensions.worktreeConfig', 'true']);
  git(top, ['config', '--worktree', 'user.name', 'Ann']);
  await writeIn(top, '.git/info/attributes', '');
  const program = path.join(base, 'program');
  await writeFile(program, `#!/bin/sh\necho "$0 $*" >> ${marker}\ncat\n`);
  await chmod(program, 0o755);
  await mkdir(path.join(base, 'aside'));
  const main = git(top, ['config', '--file', '.git/config', '--list', '--null']);
  const drivers = hostileDrivers(program);
  return {
    base,
    top,
    marker,
    exchanged: [
      { file: '.git/config', innocent: written(main), hostile: written(main) + drivers },
      { file: '.git/config.worktree', innocent: '[user]\n\tname = Ann\n', hostile: drivers },
      { file: 'shared.config', innocent: '', hostile: drivers },
      { file: '.git/info/attributes', innocent: '', hostile: ATTRIBUTES },
    ],
  };
}

/** Puts innocent files back. */
export async function disarm({ top, exchanged }: Ambush): Promise<void> {
  for (const { file, innocent } of exchanged) await writeIn(top, file, innocent);
}

/**
 * Puts a program `git` before the real one on the search path of the test. It runs shell commands, unless its arguments match one of
 * the patterns of `case`, and then becomes the real git.
 */
export async function gitThatFirst(base: string, commands: string, except: string): Promise<void> {
  const bin = path.join(base, 'bin');
  const real = git(base, ['--exec-path']).trim();
  await writeIn(bin, 'git', `#!/bin/sh\ncase "$*" in ${except}) ;; *) ${commands} ;; esac\nexec ${real}/git "$@"\n`);
  await chmod(path.join(bin, 'git'), 0o755);
  vi.stubEnv('PATH', `${bin}${path.delimiter}${process.env['PATH']}`);
  onTestFinished(() => void vi.unstubAllEnvs());
}

function hostileDrivers(program: string): string {
  return [
    '[filter "planted"]',
    ...['clean', 'smudge'].map((kind) => `\t${kind} = ${program} ${kind}`),
    '[merge "planted"]',
    `\tdriver = ${program} merge %O %A %B`,
    '[diff "planted"]',
    `\tcommand = ${program} diff`,
    `\ttextconv = ${program} textconv`,
    '[core]',
    `\tfsmonitor = ${program} fsmonitor`,
    `\tpager = ${program} pager`,
    `\teditor = ${program} editor`,
    `[alias]\n\tmerge-planted = !${program} alias`,
    '[pull]\n\ttwohead = planted',
    '',
  ].join('\n');
}

function written(listed: string): string {
  const entries = listed.split('\0').slice(0, -1);
  return entries
    .map((entry) => {
      const [key = '', value = ''] = entry.split('\n');
      const [section = '', ...rest] = key.split('.');
      return `[${section}]\n\t${rest.join('.')} = ${value}\n`;
    })
    .join('');
}
