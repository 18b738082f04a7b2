import type { Repository } from '../repository.ts';
import {
  countLines,
  findMergeBase,
  listFilesBetween,
  readLooseChanges,
  type LineCounts,
  type LooseChanges,
} from './other-work.ts';
import { createSnapshot, findMergeConflicts, withTrialObjects, type TrialObjects } from './trial-objects.ts';

/** A branch, or a work tree with its uncommitted changes. */
export interface OtherWork {
  readonly oid: string;
  readonly branch?: string;
  readonly also: readonly string[];
  /** The work tree, if its uncommitted changes are to be examined. */
  readonly tree?: Repository;
}

/** The commit of the work tree in which the tool was called, and its uncommitted changes. */
export interface OwnWork extends LooseChanges {
  readonly head: string;
}

/** Another branch or work tree that changes some of the compared files. */
export interface FoundOverlap {
  readonly work: OtherWork;
  /** At most 100 files. */
  readonly files: readonly ({ readonly path: string; readonly uncommitted?: boolean } & LineCounts)[];
  readonly total: number;
  /** Files in which a merge would conflict. */
  readonly conflicts: readonly string[];
}

interface Search {
  readonly works: readonly OtherWork[];
  /** Paths at or below which files are compared. If `undefined`, the files that {@link OwnWork} changes are compared. */
  readonly paths: readonly string[] | undefined;
  readonly onProgress: (done: number) => void;
}

/** Another branch or work tree, and the compared files that it changes. */
interface Candidate {
  readonly work: OtherWork;
  readonly base: string;
  readonly loose: LooseChanges;
  readonly common: readonly string[];
}

/** Maximum number of files whose lines are counted for one branch or work tree. */
const MAX_COUNTED = 100;

/**
 * Compares the caller's work tree with every given branch and work tree, each since the merge base of both. Returns the branches
 * and work trees that change some of the compared files.
 */
export async function findOverlaps(repository: Repository, mine: OwnWork, search: Search): Promise<readonly FoundOverlap[]> {
  const candidates: Candidate[] = [];
  for (const [position, work] of search.works.entries()) {
    const candidate = await findCommonFiles(repository, mine, { work, paths: search.paths });
    if (candidate !== undefined) candidates.push(candidate);
    search.onProgress(position + 1);
  }
  if (candidates.length === 0) return [];
  return withTrialObjects(repository, async (objects) => {
    const common = new Set(candidates.flatMap((each) => each.common));
    const own = await snapshotOf(repository, { head: mine.head, loose: mine, common }, objects);
    const found: FoundOverlap[] = [];
    for (const candidate of candidates) found.push(await examine(repository, own, candidate, objects));
    return found;
  });
}

async function findCommonFiles(
  repository: Repository,
  mine: OwnWork,
  { work, paths }: { readonly work: OtherWork; readonly paths: readonly string[] | undefined },
): Promise<Candidate | undefined> {
  const base = await findMergeBase(repository, mine.head, work.oid);
  if (base === undefined) return undefined;
  const loose = work.tree === undefined ? NOTHING : await readLooseChanges(work.tree);
  const theirs = new Set([...(await listFilesBetween(repository, base, work.oid)), ...loose.tracked, ...loose.untracked]);
  if (theirs.size === 0) return undefined;
  const isWanted =
    paths === undefined
      ? isIn([...(await listFilesBetween(repository, base, mine.head)), ...mine.tracked, ...mine.untracked])
      : isBelow(paths);
  const common = [...theirs].filter(isWanted).sort();
  return common.length === 0 ? undefined : { work, base, loose, common };
}

const NOTHING: LooseChanges = { tracked: [], untracked: [] };

function isIn(files: readonly string[]): (file: string) => boolean {
  const all = new Set(files);
  return (file) => all.has(file);
}

function isBelow(paths: readonly string[]): (file: string) => boolean {
  return (file) => paths.some((each) => each === '.' || file === each || file.startsWith(`${each}/`));
}

interface Snapshot {
  readonly head: string;
  readonly loose: LooseChanges;
  readonly common: ReadonlySet<string>;
}

/**
 * Returns a commit with the uncommitted changes of all tracked files and of the untracked files in `common`. If no such changes
 * exist, returns `head`.
 */
async function snapshotOf(tree: Repository, { head, loose, common }: Snapshot, objects: TrialObjects): Promise<string> {
  const files = [...loose.tracked, ...loose.untracked.filter((file) => common.has(file))];
  return files.length === 0 ? head : createSnapshot(tree, { head, files }, objects);
}

async function examine(repository: Repository, own: string, candidate: Candidate, objects: TrialObjects): Promise<FoundOverlap> {
  const { work, base, loose, common } = candidate;
  const snapshot = { head: work.oid, loose, common: new Set(common) };
  const theirs = work.tree === undefined ? work.oid : await snapshotOf(work.tree, snapshot, objects);
  const shown = common.slice(0, MAX_COUNTED);
  const counts = await countLines(repository, [base, theirs], shown, objects.env);
  const uncommitted = new Set([...loose.tracked, ...loose.untracked]);
  return {
    work,
    files: shown.map((file) => ({
      path: file,
      ...(counts.get(file) ?? { added: 0, removed: 0 }),
      ...(uncommitted.has(file) && { uncommitted: true }),
    })),
    total: common.length,
    conflicts: await findMergeConflicts(repository, [own, theirs], objects),
  };
}
