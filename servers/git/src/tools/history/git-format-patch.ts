import { Integer, Text, ToolError, type Result } from '@org/mcp-decorators';

import { DIFF_FLAGS } from '../../repository/content/diff-flags.ts';
import { decodePatch } from '../../repository/content/patch-names.ts';
import { parseRange, requireMergeBase, resolveCommit } from '../../repository/refs/revision.ts';
import type { Repository } from '../../repository/repository.ts';
import { findCharacterEnd, MAX_CHARACTER_BYTES } from '../../text/utf8.ts';
import { RepositoryInput } from '../inputs/repository-input.ts';
import { unknownCursorError } from '../inputs/list-page.ts';
import { formatBody } from '../results/result-text.ts';

export class GitFormatPatchInput extends RepositoryInput {
  @Text('Range such as main..topic, or a commit: the commits after it up to HEAD') revisions!: string;
  @Integer('Maximum number of bytes to return', { optional: true, min: MAX_CHARACTER_BYTES }) max_bytes?: number;
  @Text('next_cursor of the previous page', { optional: true }) cursor?: string;
}

/** Facts about a page of patches, for programs. */
export interface PatchPage {
  /** Number of patches in all pages. */
  readonly commits: number;
  readonly truncated: boolean;
  readonly next_cursor?: string;
}

/** Flags that override the configuration, which may name a file as the signature, and that leave out binary content. */
const FLAGS = [
  '--stdout',
  '--no-attach',
  '--no-thread',
  '--no-signature',
  '--no-cover-letter',
  '--no-notes',
  '--no-base',
  '--no-from',
  '--no-to',
  '--no-cc',
  '--no-add-header',
  '--no-encode-email-headers',
  '--no-binary',
  '--full-index',
  '--subject-prefix=PATCH',
  '--numbered',
  ...DIFF_FLAGS,
];

/**
 * Returns commits as patches with their messages and authors, in the format of `git format-patch --stdout`. Merges have no patch.
 * The pages add up to the whole text.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO, NO_MERGE_BASE, INVALID_ARGUMENTS
 */
export async function gitFormatPatch(repository: Repository, input: GitFormatPatchInput): Promise<Result> {
  const { from, to } = await resolveRange(repository, input.revisions);
  const range = [to, `^${from}`];
  const counted = await repository.read(['rev-list', '--count', '--no-merges', ...range, '--']);
  const commits = Number(counted.stdout.toString('utf8'));
  if (commits === 0)
    throw new ToolError('INVALID_REVISION', 'the range contains no commits that have a patch', {
      hint: 'a range is FROM..TO: the commits in TO that FROM does not contain',
    });
  const key = `${from.slice(0, KEY_DIGITS)}${to.slice(0, KEY_DIGITS)}`;
  const offset = parseOffset(input.cursor, key);
  const length = Math.min(input.max_bytes ?? repository.limits.maxBytes, repository.limits.maxBytes);
  const { stdout, isTruncated } = await repository.read(['format-patch', ...FLAGS, ...range, '--'], {
    maxBytes: offset + length + 1,
  });
  const part = stdout.subarray(offset, offset + length);
  const isCut = isTruncated || stdout.length > offset + length;
  const page = isCut ? part.subarray(0, findEnd(part)) : part;
  const next = isCut ? { next_cursor: `${key}${offset + page.length}` } : {};
  return formatBody({
    body: decodePatch(page),
    facts: { commits, truncated: isCut, ...next } satisfies PatchPage,
    ...(next.next_cursor !== undefined && { note: `There is more: continue with cursor ${next.next_cursor}.` }),
  });
}

async function resolveRange(repository: Repository, given: string): Promise<{ readonly from: string; readonly to: string }> {
  const { from, to, isSymmetric } = parseRange(given) ?? { from: given, to: 'HEAD', isSymmetric: false };
  const [first, last] = [await resolveCommit(repository, from), await resolveCommit(repository, to)];
  return { from: isSymmetric ? await requireMergeBase(repository, first, last) : first, to: last };
}

/** Number of digits of each of the two object names in a cursor, which is valid only for the same range. */
const KEY_DIGITS = 7;

/** @throws ToolError INVALID_ARGUMENTS */
function parseOffset(cursor: string | undefined, key: string): number {
  if (cursor === undefined) return 0;
  const [, range, offset = ''] = /^([0-9a-f]{14})(\d{1,9})$/.exec(cursor) ?? [];
  if (range === undefined) throw unknownCursorError();
  if (range === key) return Number(offset);
  throw new ToolError('INVALID_ARGUMENTS', 'the commits of the range have changed since the previous page', {
    hint: 'omit the cursor to start again',
  });
}

/** Returns the end of the last whole line, or of the last whole character if the first line does not fit. */
function findEnd(part: Buffer): number {
  return part.lastIndexOf('\n') + 1 || findCharacterEnd(part, part.length);
}
