import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { temporaryDirectory } from '../temporary.ts';

/** What every refusal says. */
export const DENIED: RegExp = /^DENIED_BY_POLICY: .* (?:may not be changed|contains a git directory)[^]*--allow-git-dir/;
/** Configuration that makes git run a program. */
export const DRIVER = '[filter "x"]\n\tclean = touch /tmp/owned\n';

/** Plain git, as a user runs it; returns what it wrote. */
export function git(directory: string, ...args: readonly string[]): string {
  const identity = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', '-c', 'protocol.file.allow=always'];
  return execFileSync('git', [...identity, ...args], { cwd: directory, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/**
 * A directory with a repository `p`, its linked work tree `wt`, a submodule `p/sub`, a bare repository `bare` with a work tree in it, one
 * whose git directory is `meta`, and a link `way` into the first.
 */
export async function scene(): Promise<string> {
  const root = await temporaryDirectory();
  const at = (name: string): string => path.join(root, name);
  await mkdir(at('p'));
  git(at('p'), 'init', '--quiet', '--initial-branch=main');
  await writeFile(at('p/a.txt'), 'one\n');
  git(at('p'), 'add', '--all');
  git(at('p'), 'commit', '--quiet', '--message=Begin');
  git(at('p'), 'worktree', 'add', '--quiet', '--detach', at('wt'));
  git(root, 'clone', '--quiet', '--bare', at('p'), 'bare');
  git(at('bare'), 'worktree', 'add', '--quiet', '--detach', at('bare/tree'));
  git(root, 'clone', '--quiet', `--separate-git-dir=${at('meta')}`, at('p'), 'apart');
  git(at('p'), 'submodule', '--quiet', 'add', at('bare'), 'sub');
  await symlink('p/.git', at('way'));
  await writeFile(at('prepared'), DRIVER);
  for (const name of ['tree/deep', 'place']) await mkdir(at(name), { recursive: true });
  await writeFile(at('tree/deep/x'), 'x');
  return root;
}

/** All that is below a directory, with its content. */
export async function contentsOf(root: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  return new Map(await Promise.all(files.sort().map(async (file) => [file, await readFile(file, 'latin1')] as const)));
}
