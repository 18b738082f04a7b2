import { DIFF_FLAGS } from '../content/diff-flags.ts';
import { decodeNames, decodeOutput, splitTextFields } from '../parse/fields.ts';
import { parseReferences, REFERENCE_FORMAT } from '../parse/references.ts';
import { parseStatus } from '../parse/status.ts';
import { isOid } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';

/** A branch with commits that HEAD does not contain, and other branches at the same commit. */
export interface OtherBranch {
  /** Short name, such as `topic` or `origin/topic`. */
  readonly branch: string;
  readonly also: readonly string[];
  readonly oid: string;
}

/** Uncommitted changes of a work tree. */
export interface LooseChanges {
  /** Tracked files that differ from HEAD. */
  readonly tracked: readonly string[];
  /** Untracked files that are not ignored. */
  readonly untracked: readonly string[];
}

/** Number of changed lines of a file; absent for a binary file. */
export interface LineCounts {
  readonly added?: number;
  readonly removed?: number;
}

/**
 * Lists the local and remote-tracking branches with commits that HEAD does not contain, newest commit first. Branches at the same
 * commit are one entry.
 *
 * @param most maximum number of references that are read
 */
export async function listUnmergedBranches(
  repository: Repository,
  most: number,
): Promise<{ readonly branches: readonly OtherBranch[]; readonly truncated: boolean }> {
  const flags = [`--format=${REFERENCE_FORMAT}`, '--no-merged=HEAD', '--sort=refname', '--sort=-committerdate'];
  const command = ['for-each-ref', ...flags, `--count=${most + 1}`, 'refs/heads', 'refs/remotes'];
  const refs = [...parseReferences((await repository.read(command)).stdout)];
  const found = new Map<string, string[]>();
  for (const [ref, oid] of refs.slice(0, most))
    found.set(oid, [...(found.get(oid) ?? []), ref.replace(/^refs\/(?:heads|remotes)\//, '')]);
  const branches = [...found].flatMap(([oid, [branch, ...also]]) => (branch === undefined ? [] : [{ branch, also, oid }]));
  return { branches, truncated: refs.length > most };
}

/** Reads the uncommitted changes of a work tree. Submodules are ignored, even if another commit is checked out or staged. */
export async function readLooseChanges(tree: Repository): Promise<LooseChanges> {
  const flags = ['--porcelain=v2', '-z', '--untracked-files=all', '--no-renames', '--ignore-submodules=all'];
  const { entries } = parseStatus((await tree.read(['status', ...flags])).stdout);
  const select = (isUntracked: boolean): readonly string[] =>
    entries.filter(({ untracked = false }) => untracked === isUntracked).map((entry) => entry.path);
  return { tracked: select(false), untracked: select(true) };
}

/** Returns the best merge base, or `undefined` for unrelated histories. */
export async function findMergeBase(repository: Repository, one: string, other: string): Promise<string | undefined> {
  const { stdout } = await repository.read(['merge-base', one, other], { codes: [0, 1] });
  const oid = stdout.toString('utf8').trim();
  return isOid(oid) ? oid : undefined;
}

/** Lists the files that differ between two commits. */
export async function listFilesBetween(repository: Repository, from: string, to: string): Promise<readonly string[]> {
  if (from === to) return [];
  const command = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', ...DIFF_FLAGS, from, to];
  return decodeNames((await repository.read(command)).stdout);
}

/** Counts the changed lines of files between two commits. */
export async function countLines(
  repository: Repository,
  [from, to]: readonly [string, string],
  files: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, LineCounts>> {
  const command = ['diff-tree', '-r', '-z', '--numstat', '--no-renames', ...DIFF_FLAGS, from, to, '--', ...files];
  const { text, name } = decodeOutput((await repository.read(command, { env })).stdout);
  return new Map(
    splitTextFields(text).map((field) => {
      const [added = '', removed = '', file = ''] = splitCounts(field);
      return [name(file), added === '-' ? {} : { added: Number(added), removed: Number(removed) }] as const;
    }),
  );
}

/** Splits `added<TAB>removed<TAB>path`. The path may contain tabs. */
function splitCounts(field: string): readonly string[] {
  const first = field.indexOf('\t');
  const second = field.indexOf('\t', first + 1);
  return [field.slice(0, first), field.slice(first + 1, second), field.slice(second + 1)];
}
