import { configureHooks } from '../hooks.ts';
import { decodeNames, splitLines } from '../parse/fields.ts';
import { backUpCommit } from '../refs/backup-ref.ts';
import { readHead } from '../refs/head.ts';
import type { Repository } from '../repository.ts';
import { listChanged, restoreFrom } from '../work-tree/backup.ts';
import { removeFiles } from '../work-tree/remove-files.ts';
import { backUpChanges } from '../work-tree/stash-commit.ts';

/** The state of a repository at one moment. */
export interface RecordedState {
  /** Top directory, as clients see it. */
  readonly top: string;
  /** Current branch; absent on a detached HEAD. */
  readonly branch?: string;
  /** Commit of HEAD. */
  readonly head: string;
  /** Backup commit with the index and with all files of the work tree that are not ignored. */
  readonly files: string;
  /** Commits of the local branches, by the short names of the branches. */
  readonly branches: Readonly<Record<string, string>>;
  /** Number of entries in the reflog of HEAD. */
  readonly movements: number;
}

/** Records the state of a repository. Returns `undefined` for a repository without a work tree or without commits. */
export async function recordState(repository: Repository): Promise<RecordedState | undefined> {
  const { branch, oid } = await readHead(repository);
  if (oid === undefined || repository.layout.isBare) return undefined;
  return {
    top: repository.shown,
    ...(branch !== undefined && { branch }),
    head: oid,
    files: await backUpWorkTree(repository, oid, 'checkpoint'),
    branches: Object.fromEntries(await readBranches(repository)),
    movements: await countMovements(repository),
  };
}

/**
 * Returns to a recorded state. Files with uncommitted changes stay as they are. If such files differ from the recorded state,
 * their paths are returned. Files that were committed since the recording stay as they are, too, because people or other tools
 * wrote them.
 */
export async function returnToState(repository: Repository, state: RecordedState): Promise<readonly string[]> {
  const { branch, oid: head = state.head } = await readHead(repository);
  const now = await backUpWorkTree(repository, head, 'before a rewind');
  if (branch === undefined) await backUpCommit(repository, head);
  const kept = await restoreFiles(repository, {
    head,
    now,
    before: state.files,
    committed: await listCommitted(repository, state),
  });
  await restoreReferences(repository, state);
  const hooks = configureHooks(repository.policy);
  await repository.write(['read-tree', `${state.files}^2^{tree}`], hooks);
  await repository.write(['update-index', '-q', '--refresh'], { ...hooks, codes: [0, 1] });
  return kept;
}

async function countMovements(repository: Repository): Promise<number> {
  const { stdout } = await repository.read(['rev-list', '--walk-reflogs', '--count', 'HEAD'], { codes: [0, 128] });
  return Number(stdout.toString());
}

/**
 * Returns the files that were committed after the state was recorded. Other movements of HEAD, such as merges, do not count,
 * because git wrote their files.
 */
async function listCommitted(repository: Repository, { movements, head }: RecordedState): Promise<ReadonlySet<string>> {
  const since = (await countMovements(repository)) - movements;
  // The reflog may have no new entry, for example because reflogs are disabled. Then a person may have written any file that
  // differs between the commits.
  if (since <= 0) return new Set(await listChanged(repository, [head, 'HEAD'], { paths: ['.'] }));
  const command = ['log', '--walk-reflogs', '--no-show-signature', `--max-count=${since + 1}`, '--format=%H %gs', 'HEAD', '--'];
  const entries = splitLines((await repository.read(command)).stdout);
  const files = new Set<string>();
  for (const [place, entry] of entries.slice(0, since).entries()) {
    const [to, from] = [entry, entries[place + 1]].map((line) => line?.split(' ')[0]);
    if (to === undefined || from === undefined || !COMMIT.test(entry)) continue;
    for (const file of await listChanged(repository, [from, to], { paths: ['.'] })) files.add(file);
  }
  return files;
}

const COMMIT = /^[0-9a-f]+ commit(?: \(amend\))?: /;

async function backUpWorkTree(repository: Repository, head: string, message: string): Promise<string> {
  const { stdout } = await repository.read(['ls-files', '-z', '--others', '--exclude-standard']);
  return backUpChanges(repository, { head, message, files: decodeNames(stdout) });
}

interface FileStates {
  readonly head: string;
  /** Backup commits with the current files (`now`) and with the recorded files (`before`). */
  readonly now: string;
  readonly before: string;
  /** Files that were committed after the state was recorded. */
  readonly committed: ReadonlySet<string>;
}

/**
 * Restores the files that were neither edited nor committed by a person. Returns the paths of the edited files that differ from
 * the recorded state.
 */
async function restoreFiles(repository: Repository, { head, now, before, committed }: FileStates): Promise<readonly string[]> {
  const all = { paths: ['.'] };
  const edited = new Set(await listChanged(repository, [head, now], all));
  const isUnedited = (path: string): boolean => !edited.has(path) && !committed.has(path);
  const deleted = await listChanged(repository, [now, before], { ...all, filter: 'D' });
  const present = await listChanged(repository, [now, before], { ...all, filter: 'd' });
  await restoreFrom(repository, { source: before, files: present.filter(isUnedited) }, ['--overlay', '--worktree']);
  await removeFiles(repository, deleted.filter(isUnedited));
  return [...present, ...deleted].filter((path) => edited.has(path));
}

async function restoreReferences(repository: Repository, { branch, head, branches }: RecordedState): Promise<void> {
  const hooks = configureHooks(repository.policy);
  const current = await readBranches(repository);
  const moved = listMoved(branches, current);
  for (const [name] of moved) {
    const oid = current.get(name);
    if (oid !== undefined) await backUpCommit(repository, oid);
  }
  const updates = moved.map(
    ([name, oid]) => `update refs/heads/${name} ${oid} ${current.get(name) ?? NONE.repeat(oid.length)}\n`,
  );
  // HEAD moves first, so that a branch that will no longer be checked out does not move while HEAD still names it.
  if (branch === undefined) await repository.write(['update-ref', '--no-deref', '-m', MESSAGE, 'HEAD', head], hooks);
  else await repository.write(['symbolic-ref', '-m', MESSAGE, 'HEAD', `refs/heads/${branch}`], hooks);
  if (updates.length > 0) await repository.write(['update-ref', '-m', MESSAGE, '--stdin'], { ...hooks, input: updates.join('') });
}

/** The object name of a reference that does not exist consists of this digit. */
const NONE = '0';

const MESSAGE = 'rewind to a checkpoint';

/** Returns the recorded branches that are missing or at other commits now. */
export function listMoved(
  recorded: RecordedState['branches'],
  current: ReadonlyMap<string, string>,
): readonly (readonly [name: string, oid: string])[] {
  return Object.entries(recorded).filter(([name, oid]) => current.get(name) !== oid);
}

/** Returns the commits of the branches by their names. Branches whose names are not UTF-8 are omitted. */
export async function readBranches(repository: Repository): Promise<ReadonlyMap<string, string>> {
  const { stdout } = await repository.read(['for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads/']);
  const branches = splitLines(stdout).map(
    (line) => [line.slice(line.indexOf(' ') + 1).slice('refs/heads/'.length), line.split(' ')[0] ?? ''] as const,
  );
  return new Map(branches.filter(([name]) => !name.includes('\uFFFD')));
}
