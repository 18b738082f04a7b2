import { nearest, ToolError } from '@org/mcp-decorators';

import { quoted, visibleName } from '../text/visible.ts';
import { decodeList } from './parse/fields.ts';
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
  if (revision === '' || revision.length > MAX_REVISION || /\p{Cc}/u.test(revision)) throw invalidRevision(revision);
  const oid = await oidOf(repository, `${revision}^{commit}`);
  if (oid !== undefined) return oid;
  await requireCommits(repository);
  throw invalidRevision(revision, await nearestRef(repository, revision));
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
  return decodeList(stdout).map((name) => name.replace(/^\n/, ''));
}

/** The object that an expression names, if there is one; any text may be given, and is taken for nothing else. */
export async function oidOf(repository: Repository, expression: string): Promise<string | undefined> {
  try {
    return (await repository.objectInfo(expression))?.oid;
  } catch (error) {
    // git gives up on some names, such as the upstream of a branch that has none.
    if (ToolError.is(error) && error.code === 'GIT_FAILED') return undefined;
    throw error;
  }
}

async function nearestRef(repository: Repository, revision: string): Promise<string | undefined> {
  return nearest(revision, [...(await refNames(repository)), 'HEAD']);
}

export function invalidRevision(revision: string, near?: string): ToolError {
  const hint = near === undefined ? {} : { hint: `did you mean ${visibleName(near)}?` };
  return new ToolError('INVALID_REVISION', `${quoted(revision)} names no commit`, hint);
}
