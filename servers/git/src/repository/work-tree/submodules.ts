import { isUtf8 } from 'node:buffer';
import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';

import { readFileBelow, readLineBelow } from '../guard/state-file.ts';
import { splitFields } from '../parse/fields.ts';
import { encodePath } from '../parse/path-bytes.ts';
import { isOid } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';

/** Maximum size of `packed-refs`, in bytes. */
const MAX_PACKED_REFS = 16_777_216;

/** Whether a directory of the work tree has a `.git` entry of its own. */
export async function hasRepository({ layout }: Repository, directory: string): Promise<boolean> {
  const place = Buffer.concat([Buffer.from(layout.top + path.sep), encodePath(directory), Buffer.from('/.git')]);
  return (await lstat(place).catch(() => undefined)) !== undefined;
}

/**
 * Returns the commit that is checked out in a submodule. The function does not run git, which follows a `.git` file to any
 * directory.
 *
 * @returns `undefined` if the commit cannot be read, for example because the git directory is outside the roots, or because the
 * submodule has no commit
 */
export async function readSubmoduleCommit(repository: Repository, directory: string): Promise<string | undefined> {
  const gitDir = await findGitDir(repository, directory).catch(() => undefined);
  if (gitDir === undefined) return undefined;
  const head = await readLineBelow(gitDir, 'HEAD');
  if (isOid(head)) return head;
  const [, ref] = /^ref: (refs\/.+)$/.exec(head) ?? [];
  if (ref === undefined) return undefined;
  const commonDir = await findCommonDir(repository, gitDir);
  return commonDir === undefined ? undefined : readReference(commonDir, ref);
}

async function findGitDir({ layout, resolveInsideRoots }: Repository, directory: string): Promise<string | undefined> {
  const bytes = encodePath(directory);
  if (!isUtf8(bytes)) return undefined;
  const place = path.join(layout.top, bytes.toString('utf8'));
  if ((await realpath(place)) !== place) return undefined;
  const facts = await lstat(path.join(place, '.git'));
  if (facts.isDirectory()) return path.join(place, '.git');
  const [, named] = /^gitdir: (.+)$/.exec(await readLineBelow(place, '.git')) ?? [];
  return named === undefined ? undefined : resolveInsideRoots(path.resolve(place, named));
}

async function findCommonDir({ resolveInsideRoots }: Repository, gitDir: string): Promise<string | undefined> {
  const named = await readLineBelow(gitDir, 'commondir');
  return named === '' ? gitDir : resolveInsideRoots(path.resolve(gitDir, named));
}

async function readReference(commonDir: string, ref: string): Promise<string | undefined> {
  const loose = await readLineBelow(commonDir, ref);
  if (isOid(loose)) return loose;
  const packed = (await readFileBelow(commonDir, 'packed-refs', MAX_PACKED_REFS))?.toString('utf8') ?? '';
  const oid = packed
    .split('\n')
    .find((line) => line.endsWith(` ${ref}`))
    ?.slice(0, -ref.length - 1);
  return oid !== undefined && isOid(oid) ? oid : undefined;
}

const NAMED = /^submodule\.(.+)\.[^.]+$/s;

/**
 * Returns configuration that makes git compare submodules by their commits only. A merge stashes local changes first, and an
 * empty pick prints a status. For both, git starts another git in every submodule, and no option prevents that.
 *
 * @throws ToolError REPO_UNTRUSTED if the name of a submodule is not UTF-8
 */
export async function ignoreSubmoduleChanges(repository: Repository): Promise<Readonly<Record<string, string>>> {
  const sources = [`--file=${path.join(repository.layout.top, '.gitmodules')}`, '--blob=:.gitmodules'];
  const lists = await Promise.all(
    sources.map((source) =>
      repository.read(['config', '--no-includes', source, '--list', '--name-only', '-z'], { codes: [0, 1, 128] }),
    ),
  );
  const keys = lists.flatMap(({ stdout }) => splitFields(stdout));
  if (!keys.every((key) => isUtf8(key)))
    throw new ToolError(
      'REPO_UNTRUSTED',
      'a submodule has a name that is not UTF-8, so git cannot be prevented from running in it',
      {
        hint: 'use the git command line for this repository',
      },
    );
  const names = keys.flatMap((key) => NAMED.exec(key.toString('utf8'))?.[1] ?? []);
  return Object.fromEntries([['diff.ignoreSubmodules', 'dirty'], ...names.map((name) => [`submodule.${name}.ignore`, 'dirty'])]);
}
