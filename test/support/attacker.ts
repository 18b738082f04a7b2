import { execFileSync } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { connectProcess, type Session } from '@org/mcp-testing';

/** Sessions with the file server and the git server, which both serve the directory `roots` in `base`. */
export interface Attacker {
  readonly base: string;
  readonly fs: Session;
  readonly git: Session;
}

/** The files of one attack. */
export interface Scene {
  /**
   * Contains the repository `p`, with a work tree `wt` and a branch `hostile`, and the files of the attacker: `evil`,
   * `program`.
   */
  readonly root: string;
  /** Path of the file that the program of the attacker creates when it runs. */
  readonly marker: string;
}

/** Name of an executable file in the repository. */
export const EXECUTABLE = 'run.sh';

export type Call = readonly [server: 'fs' | 'git', tool: string, input: Readonly<Record<string, unknown>>];

/** Starts both servers on a new directory. Disposal ends the servers and removes the directory. */
export async function attacker(fsArguments: readonly string[] = []): Promise<Attacker & AsyncDisposable> {
  const base = await realpath(await mkdtemp(path.join(tmpdir(), 'mcp-together-')));
  const roots = path.join(base, 'roots');
  await mkdir(roots);
  await makeTemplate(path.join(base, 'template'));
  const state = ['--state-dir', path.join(base, 'state')];
  const fs = await connectProcess(program('fs', ...state, '--durability', 'fast', ...fsArguments, roots));
  const git = await connectProcess(program('git', '--tools', 'all', roots));
  return {
    base,
    fs,
    git,
    async [Symbol.asyncDispose]() {
      await fs[Symbol.asyncDispose]();
      await git[Symbol.asyncDispose]();
      await rm(base, { recursive: true, force: true });
    },
  };
}

/** Creates a separate scene with the files of the attacker. */
export async function scene({ base, fs }: Pick<Attacker, 'base' | 'fs'>, name: string): Promise<Scene> {
  const root = path.join(base, 'roots', name);
  await cp(path.join(base, 'template'), root, { recursive: true, verbatimSymlinks: true });
  run(path.join(root, 'p'), 'worktree', 'add', '--quiet', '--detach', '../wt');
  const marker = path.join(base, `executed-${name}`);
  const at = (...names: readonly string[]): string => path.join(root, ...names);
  await attempt(fs, 'write_file', { path: at('program'), content: `touch '${marker}'\ncat\n` });
  await attempt(fs, 'write_file', { path: at('evil/config'), content: configuration(at('program')), createParents: true });
  await attempt(fs, 'create_directory', { path: at('evil/hooks') });
  // git ignores a hook that is not executable. The tools create an executable file only as a copy of one, so the hook is such a
  // copy.
  await attempt(fs, 'copy_file', { source: at('p', EXECUTABLE), destination: at('evil/hooks/pre-commit') });
  await attempt(fs, 'write_file', { path: at('evil/hooks/pre-commit'), content: hook(at('program')) });
  return { root, marker };
}

/** Makes a call. Returns the text of its result, which may be an error. @throws Error if the arguments are invalid */
export async function attempt(session: Session, tool: string, input: Readonly<Record<string, unknown>>): Promise<string> {
  const { content } = await session.client.callTool({ name: tool, arguments: { ...input } });
  const [first] = content;
  const text = first?.type === 'text' ? first.text : '';
  if (text.startsWith('INVALID_ARGUMENTS')) throw new Error(`${tool} ${JSON.stringify(input)}: ${text}`);
  return text;
}

/** Returns a git configuration with the keys that name programs which git starts in everyday commands. */
export function configuration(script: string): string {
  const sh = `sh ${script}`;
  return [
    '[core]\n\trepositoryformatversion = 0\n\tbare = false',
    `\tfsmonitor = ${sh}\n\thooksPath = ${path.join(path.dirname(script), 'evil/hooks')}\n\tsshCommand = ${sh}`,
    `\tpager = ${sh}\n\teditor = ${sh}\n\taskPass = ${sh}\n\talternateRefsCommand = ${sh}`,
    '[user]\n\tname = Ann\n\temail = ann@example.com',
    `[filter "x"]\n\tclean = ${sh}\n\tsmudge = ${sh}\n\trequired = true`,
    `[diff "x"]\n\ttextconv = ${sh}\n\tcommand = ${sh}\n[diff]\n\texternal = ${sh}`,
    `[merge "x"]\n\tdriver = ${sh}\n[credential]\n\thelper = !${sh}\n[sequence]\n\teditor = ${sh}`,
    `[gpg]\n\tprogram = ${sh}\n[commit]\n\tgpgSign = true\n[submodule "sub"]\n\tupdate = !${sh}\n`,
  ].join('\n');
}

export function hook(script: string): string {
  return `#!/bin/sh\nsh ${script} </dev/null\n`;
}

/**
 * Returns everyday calls of git tools in each repository that an attack may have created or changed. These tools start the most
 * programs.
 */
export function everydayCalls(root: string): readonly Call[] {
  const inOne = (repo_path: string): readonly Call[] => [
    ['git', 'git_status', { repo_path }],
    ['git', 'git_diff_unstaged', { repo_path }],
    ['git', 'git_add', { repo_path, all: true }],
    ['git', 'git_commit', { repo_path, message: 'Go on' }],
    ['git', 'git_checkout', { repo_path, branch_name: 'other' }],
  ];
  return [...['p', 'wt', 'q'].flatMap((name) => inOne(path.join(root, name))), ...bareCalls(path.join(root, 'evil'))];
}

function bareCalls(repo_path: string): readonly Call[] {
  return [
    ['git', 'git_status', { repo_path }],
    ['git', 'git_log', { repo_path }],
  ];
}

export function run(directory: string, ...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: directory, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/**
 * Creates the repository `p` with attributes, and with the branches `main`, `other` and `hostile`. The branch `hostile` contains
 * a link to `.git`, an embedded bare repository, and a change that conflicts with `main`.
 */
async function makeTemplate(root: string): Promise<void> {
  const top = path.join(root, 'p');
  await mkdir(top, { recursive: true });
  run(top, 'init', '--quiet', '--initial-branch=main');
  for (const [key, value] of [
    ['user.name', 'Ann'],
    ['user.email', 'ann@example.com'],
  ] as const)
    run(top, 'config', key, value);
  await writeFile(path.join(top, '.gitattributes'), '* filter=x diff=x merge=x\n');
  await writeFile(path.join(top, EXECUTABLE), '#!/bin/sh\n', { mode: 0o755 });
  await commit(top, 'Begin', { 'a.txt': 'one\n' });
  run(top, 'branch', 'other');
  run(top, 'checkout', '--quiet', '-b', 'hostile');
  execFileSync('ln', ['-s', '.git', 'way'], { cwd: top });
  await mkdir(path.join(top, 'embedded/objects/x'), { recursive: true });
  await mkdir(path.join(top, 'embedded/refs/x'), { recursive: true });
  const embedded = {
    'embedded/HEAD': 'ref: refs/heads/main\n',
    'embedded/config': '[core]\n',
    'embedded/objects/x/x': '',
    'embedded/refs/x/x': '',
  };
  await commit(top, 'Hostile', { ...embedded, 'a.txt': 'hostile\n' });
  run(top, 'checkout', '--quiet', 'main');
  await commit(top, 'Extend', { 'a.txt': 'two\n' });
  await chmod(root, 0o755);
}

async function commit(top: string, message: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(top, name), content);
  run(top, 'add', '--all');
  run(top, 'commit', '--quiet', `--message=${message}`);
}

/** Returns the command that starts a server of the workspace. */
export function program(server: string, ...args: readonly string[]): { readonly command: string; readonly args: string[] } {
  const bin = fileURLToPath(new URL(`../../servers/${server}/bin/mcp-${server}.js`, import.meta.url));
  return { command: process.execPath, args: [bin, ...args] };
}
