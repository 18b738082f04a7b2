import { Flag, Integer, OneOf, Text, TextList, ToolError } from '@org/mcp-decorators';

import type { DiffPosition } from '../../repository/content/diff-page.ts';
import { DIFF_MODES, readDiff, type Diff, type DiffMode } from '../../repository/content/read-diff.ts';
import { requireMergeBase, resolveCommit } from '../../repository/refs/revision.ts';
import type { Repository } from '../../repository/repository.ts';
import { resolvePath, resolvePaths } from '../../repository/work-tree/paths.ts';
import { MAX_CHARACTER_BYTES } from '../../text/utf8.ts';
import { unknownCursorError } from '../inputs/list-page.ts';
import { RepoPath } from '../inputs/repository-input.ts';

/** Input of a tool that shows a diff. */
export class DiffInput {
  @RepoPath() repo_path?: string;
  @Integer('Default: 3', { min: 0, max: 1000 }) context_lines = 3;
  @TextList('Files or directories', { optional: true }) paths?: string[];
  @OneOf(DIFF_MODES, 'stat: line counts; names: file names') mode: DiffMode = 'patch';
  @Flag() ignore_whitespace = false;
  @Flag('Omit lock files etc.') exclude_generated = false;
  @Integer('Patch size limit', { optional: true, min: MAX_CHARACTER_BYTES }) max_bytes?: number;
  @Text('next_cursor of the previous page', { optional: true }) cursor?: string;
}

/** Input of a diff that may start at a commit. */
export class BasedDiffInput extends DiffInput {
  @Text('Branch, tag or commit', { optional: true }) base?: string;
  @Flag('Start at the merge base with HEAD') merge_base = false;
}

/** A page of a diff. */
export interface ShownDiff extends Diff {
  readonly mode: DiffMode;
  /** Cursor of the next page; absent on the last page. */
  readonly next_cursor?: string;
  /** End of the URI of the resource that contains the whole diff, such as `diff/staged`; absent without such a resource. */
  readonly whole?: string;
}

/** A git command that writes a diff. */
interface DiffCommand {
  /** Name, flags and object names. Never contains text from the caller. */
  readonly command: readonly string[];
  /** Number of NUL-terminated fields that the command writes before the diff. */
  readonly fields?: number;
  /** Number of bytes of text that the result contains in addition to these fields. */
  readonly beside?: number;
  readonly whole?: string;
}

/** Runs a diff command and returns the requested page. */
export async function showDiff(
  repository: Repository,
  input: DiffInput,
  { command, fields, beside, whole }: DiffCommand,
): Promise<ShownDiff> {
  const { maxBytes } = repository.limits;
  const changes = await readDiff(repository, command, {
    mode: input.mode,
    contextLines: input.context_lines,
    ignoreWhitespace: input.ignore_whitespace,
    excludeGenerated: input.exclude_generated,
    maxBytes: Math.min(input.max_bytes ?? maxBytes, maxBytes),
    from: input.cursor === undefined ? undefined : parsePosition(repository, input.cursor),
    paths: resolvePaths(repository, input.paths ?? []),
    ...(fields !== undefined && { fields }),
    ...(beside !== undefined && { beside }),
  });
  return {
    ...changes,
    ...(changes.next !== undefined && { next_cursor: formatDiffCursor(changes.next) }),
    mode: input.mode,
    ...(whole !== undefined && { whole }),
  };
}

/** Maximum position of a cursor in the patch of a file, in bytes: for each page, all bytes before the cursor are read into memory. */
const MAX_SKIP = 8_388_608;

/** @throws ToolError INVALID_ARGUMENTS for an unknown cursor, TOO_LARGE beyond `MAX_SKIP`, PATH_OUTSIDE_ROOTS, INVALID_PATH */
function parsePosition(repository: Repository, cursor: string): DiffPosition {
  const { path, ...position } = parseDiffCursor(cursor);
  if (position.skip > MAX_SKIP)
    throw new ToolError('TOO_LARGE', `the diff of one file is limited to ${MAX_SKIP} bytes`, {
      hint: 'set paths to show other files, or read the file with git_show',
    });
  return { path: resolvePath(repository, path), ...position };
}

/** Returns a list with the commit at which a diff starts. The list is empty if git chooses the start. */
export async function resolveBase(repository: Repository, { base, merge_base }: BasedDiffInput): Promise<readonly string[]> {
  if (base === undefined && !merge_base) return [];
  const oid = await resolveCommit(repository, base ?? 'HEAD');
  return [merge_base ? await requireMergeBase(repository, oid, await resolveCommit(repository, 'HEAD')) : oid];
}

/** Matches a cursor. Its kind is `c` for a combined diff (a merge or a conflict) and `d` for any other diff. */
const CURSOR = /^(?<kind>[cd]):(?<skip>\d{1,10}):(?<path>.+)$/s;

/** Formats a position as a cursor: kind, bytes of the file's patch that were shown, path of the file. */
function formatDiffCursor({ path, skip, combined }: DiffPosition): string {
  return `${combined ? 'c' : 'd'}:${skip}:${path}`;
}

/** @throws ToolError INVALID_ARGUMENTS for a text that does not have the form of a cursor */
function parseDiffCursor(cursor: string): DiffPosition {
  const { kind, skip, path } = CURSOR.exec(cursor)?.groups ?? {};
  if (skip !== undefined && path !== undefined) return { path, skip: Number(skip), combined: kind === 'c' };
  throw unknownCursorError();
}
