import { nearest, ToolError, visibleName } from '@org/mcp-decorators';

import { quoted } from '../text/visible.ts';
import { oidOf, readObject, type ObjectPart, type ReadObject } from './object.ts';
import { decodeReferences } from './parse/fields.ts';
import type { Repository } from './repository.ts';

/** Longer than any expression that means something; a process's arguments are bounded too. */
const MAX_REVISION = 1000;
const OID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
const MAX_REFS = 1_048_576;

/** Whether a text is a full object name, which needs no resolving and can be no option. */
export function isOid(text: string): boolean {
  return OID.test(text);
}

/**
 * The commit that a revision names; nothing else of what a caller wrote reaches another command.
 *
 * @throws ToolError INVALID_REVISION with the nearest name, EMPTY_REPO
 */
export async function resolveCommit(repository: Repository, revision: string): Promise<string> {
  requirePlausible(revision, 'commit');
  const oid = await oidOf(repository, `${revision}^{commit}`);
  if (oid !== undefined) return oid;
  await requireCommits(repository);
  throw invalidRevision(revision, await nearestRef(repository, revision));
}

/**
 * The object that a revision or `revision:path` names, with its first bytes.
 *
 * @throws ToolError INVALID_REVISION with the nearest name, EMPTY_REPO
 */
export async function resolveObject(repository: Repository, expression: string, part: ObjectPart): Promise<ReadObject> {
  requirePlausible(expression, 'object');
  const object = await readObject(repository, expression, part);
  if (object !== undefined) return object;
  await requireCommits(repository);
  throw invalidRevision(expression, await nearestRef(repository, expression), 'object');
}

/** Two revisions that stand for a range. */
export interface RevisionRange {
  readonly from: string;
  readonly to: string;
  /** `A...B`: from where the two parted. */
  readonly parted: boolean;
}

/** What `A..B` or `A...B` means, an end that is left out being HEAD; `undefined` for a single revision. */
export function rangeOf(text: string): RevisionRange | undefined {
  const { from, dots, to } = /^(?<from>.*?)(?<dots>\.{2,3})(?<to>.*)$/s.exec(text)?.groups ?? {};
  if (from === undefined || to === undefined) return undefined;
  return { from: from === '' ? 'HEAD' : from, to: to === '' ? 'HEAD' : to, parted: dots === '...' };
}

/**
 * The commit at which two histories parted.
 *
 * @throws ToolError NO_MERGE_BASE
 */
export async function commonAncestor(repository: Repository, one: string, other: string): Promise<string> {
  const [oid] = await commonAncestors(repository, one, other);
  if (oid !== undefined) return oid;
  throw new ToolError('NO_MERGE_BASE', `${one.slice(0, 12)} and ${other.slice(0, 12)} have no commit in common`);
}

/** The latest commits that two histories have in common, the best one first. */
export async function commonAncestors(repository: Repository, one: string, other: string): Promise<readonly string[]> {
  const { stdout } = await repository.read(['merge-base', '--all', one, other], { codes: [0, 1] });
  return stdout.toString('utf8').split('\n').filter(isOid);
}

/** @throws ToolError EMPTY_REPO if the current branch has no commit */
export async function requireCommits(repository: Repository): Promise<void> {
  if ((await oidOf(repository, 'HEAD^{commit}')) === undefined)
    throw new ToolError('EMPTY_REPO', 'the current branch has no commit yet', { hint: 'git_commit makes the first one' });
}

/** The short names of branches and tags. */
export async function refNames(repository: Repository): Promise<readonly string[]> {
  const command = ['for-each-ref', '--format=%(refname:short)%00', 'refs/heads', 'refs/tags', 'refs/remotes'];
  const { stdout } = await repository.read(command, { maxBytes: MAX_REFS });
  return decodeReferences(stdout);
}

function requirePlausible(expression: string, kind: 'commit' | 'object'): void {
  if (expression === '' || expression.length > MAX_REVISION || /\p{Cc}/u.test(expression))
    throw invalidRevision(expression, undefined, kind);
}

async function nearestRef(repository: Repository, revision: string): Promise<string | undefined> {
  return nearest(revision, [...(await refNames(repository)), 'HEAD']);
}

export function invalidRevision(revision: string, near?: string, kind: 'commit' | 'object' = 'commit'): ToolError {
  const hint = near === undefined ? {} : { hint: `did you mean ${visibleName(near)}?` };
  return new ToolError('INVALID_REVISION', `${quoted(revision)} names no ${kind}`, hint);
}
