import { findNearestName, ToolError, escapeInvisible } from '@org/mcp-decorators';

import { quoteInput } from '../../text/visible.ts';
import { splitLines } from '../parse/fields.ts';
import { decodeReferenceNames } from '../parse/references.ts';
import type { Repository } from '../repository.ts';
import { findOid, readObject, type ObjectPart, type ReadObject } from './object.ts';

/** Maximum length of a revision. The arguments of a process are limited, too. */
const MAX_REVISION = 1000;
const OID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
const MAX_REFS = 1_048_576;

/** Whether a text is a full object name. It needs no resolution and cannot be parsed as an option. */
export function isOid(text: string): boolean {
  return OID.test(text);
}

/**
 * Resolves a revision to a commit. Other commands receive the resolved object name instead of the text of the caller.
 *
 * @throws ToolError INVALID_REVISION with the most similar name, EMPTY_REPO
 */
export async function resolveCommit(repository: Repository, revision: string): Promise<string> {
  requirePlausible(revision, 'commit');
  const oid = await findOid(repository, `${revision}^{commit}`);
  if (oid !== undefined) return oid;
  await requireCommits(repository);
  throw invalidRevisionError(revision, await findNearestRef(repository, revision));
}

/**
 * Resolves a revision or `revision:path` to an object, and reads a part of its content.
 *
 * @throws ToolError INVALID_REVISION with the most similar name, EMPTY_REPO
 */
export async function resolveObject(repository: Repository, expression: string, part: ObjectPart): Promise<ReadObject> {
  requirePlausible(expression, 'object');
  const object = await readObject(repository, expression, part);
  if (object !== undefined) return object;
  await requireCommits(repository);
  throw invalidRevisionError(expression, await findNearestRef(repository, expression), 'object');
}

/** A range of two revisions. */
export interface RevisionRange {
  readonly from: string;
  readonly to: string;
  /** `A...B`: the symmetric difference. */
  readonly isSymmetric: boolean;
}

/** Parses `A..B` or `A...B`, where an omitted end means HEAD. Returns `undefined` for a single revision. */
export function parseRange(text: string): RevisionRange | undefined {
  const { from, dots, to } = /^(?<from>.*?)(?<dots>\.{2,3})(?<to>.*)$/s.exec(text)?.groups ?? {};
  if (from === undefined || to === undefined) return undefined;
  return { from: from === '' ? 'HEAD' : from, to: to === '' ? 'HEAD' : to, isSymmetric: dots === '...' };
}

/**
 * Returns the best merge base of two commits.
 *
 * @throws ToolError NO_MERGE_BASE
 */
export async function requireMergeBase(repository: Repository, one: string, other: string): Promise<string> {
  const [oid] = await findMergeBases(repository, one, other);
  if (oid !== undefined) return oid;
  throw new ToolError('NO_MERGE_BASE', `${one.slice(0, 12)} and ${other.slice(0, 12)} have no common ancestor`);
}

/** Returns all best common ancestors of two commits; git prefers the first one as the merge base. */
export async function findMergeBases(repository: Repository, one: string, other: string): Promise<readonly string[]> {
  const { stdout } = await repository.read(['merge-base', '--all', one, other], { codes: [0, 1] });
  return splitLines(stdout).filter(isOid);
}

/** @throws ToolError EMPTY_REPO if the current branch has no commit */
export async function requireCommits(repository: Repository): Promise<void> {
  if ((await findOid(repository, 'HEAD^{commit}')) === undefined)
    throw new ToolError('EMPTY_REPO', 'the current branch has no commit yet', { hint: 'git_commit creates the first commit' });
}

/** Lists the short names of local branches, remote-tracking branches and tags, up to `MAX_REFS` bytes. */
export async function listRefNames(repository: Repository): Promise<readonly string[]> {
  const command = ['for-each-ref', '--format=%(refname:short)%00', 'refs/heads', 'refs/tags', 'refs/remotes'];
  const { stdout } = await repository.read(command, { maxBytes: MAX_REFS });
  return decodeReferenceNames(stdout);
}

function requirePlausible(expression: string, kind: 'commit' | 'object'): void {
  if (expression === '' || expression.length > MAX_REVISION || /\p{Cc}/u.test(expression))
    throw invalidRevisionError(expression, undefined, kind);
}

async function findNearestRef(repository: Repository, revision: string): Promise<string | undefined> {
  return findNearestName(revision, [...(await listRefNames(repository)), 'HEAD']);
}

export function invalidRevisionError(revision: string, near?: string, kind: 'commit' | 'object' = 'commit'): ToolError {
  const hint = near === undefined ? {} : { hint: `did you mean ${escapeInvisible(near)}?` };
  return new ToolError(
    'INVALID_REVISION',
    `${quoteInput(revision)} does not name ${kind === 'commit' ? 'a commit' : 'an object'}`,
    hint,
  );
}

/** Whether the commit `one` is `other` or an ancestor of `other`; both are full object names. `false` if a commit does not exist. */
export async function isAncestor(repository: Repository, one: string, other: string): Promise<boolean> {
  const { code } = await repository.read(['merge-base', '--is-ancestor', one, other], { codes: [0, 1, 128] });
  return code === 0;
}

/**
 * Returns the full name of the reference that a revision names, such as `refs/heads/main` or `HEAD`, or `undefined` for any other
 * revision.
 */
export async function findRefName(repository: Repository, revision: string): Promise<string | undefined> {
  const command = ['rev-parse', '--symbolic-full-name', '--verify', '--quiet', '--end-of-options', revision];
  const { code, stdout } = await repository.read(command, { codes: [0, 1, 128] });
  const name = stdout.toString('utf8').trim();
  return code === 0 && /^(?:refs\/|HEAD$)/.test(name) ? name : undefined;
}
