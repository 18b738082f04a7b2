import { Flag, Integer, OneOf, Text, TextList, ToolError } from '@org/mcp-decorators';

import { DIFF_MODES, readChanges, type Changes, type DiffMode, type DiffPosition } from '../repository/changes.ts';
import { pathInside, pathsInside } from '../repository/paths.ts';
import type { Repository } from '../repository/repository.ts';
import { commonAncestor, resolveCommit } from '../repository/revision.ts';
import { MOST_BYTES } from '../text/end-of-character.ts';
import { formatDiffCursor, parseDiffCursor } from './diff-cursor.ts';
import { RepositoryInput } from './repository-input.ts';

/** How a diff is shown, and of what. */
export class DiffInput extends RepositoryInput {
  @Integer({ min: 0, max: 1000 }) context_lines = 3;
  @TextList('Files or directories', { optional: true }) paths?: string[];
  @OneOf(DIFF_MODES, 'stat: lines per file; names: files alone') mode: DiffMode = 'patch';
  @Flag() ignore_whitespace = false;
  @Flag('Skip lock files etc.') exclude_generated = false;
  @Integer('Of the patch', { optional: true, min: MOST_BYTES }) max_bytes?: number;
  @Text('Previous next_cursor', { optional: true }) cursor?: string;
}

/** A diff that begins at a commit. */
export class BasedDiffInput extends DiffInput {
  @Text('Branch, tag or commit to compare with', { optional: true }) base?: string;
  @Flag('Begin where HEAD left it') merge_base = false;
}

/** A diff as it is shown. */
export interface ShownDiff extends Changes {
  readonly mode: DiffMode;
  /** Continues the diff at {@link Changes.next}. */
  readonly next_cursor?: string;
  /** The end of the URI of all of it, after the repository's: `diff/staged`. */
  readonly whole?: string;
}

/** A command that writes a diff, after the flags that all of them have. */
export interface DiffCommand {
  /** git's name of it, with flags of ours and oids, never a caller's text. */
  readonly command: readonly string[];
  /** That it writes before the diff, each ended by NUL. */
  readonly fields?: number;
  /** Bytes of text that the result contains before them. */
  readonly beside?: number;
  readonly whole?: string;
}

/** Runs a diff as its caller wants it. */
export async function showDiff(
  repository: Repository,
  input: DiffInput,
  { command, fields, beside, whole }: DiffCommand,
): Promise<ShownDiff> {
  const { maxBytes } = repository.limits;
  const changes = await readChanges(repository, command, {
    mode: input.mode,
    contextLines: input.context_lines,
    ignoreWhitespace: input.ignore_whitespace,
    excludeGenerated: input.exclude_generated,
    maxBytes: Math.min(input.max_bytes ?? maxBytes, maxBytes),
    from: input.cursor === undefined ? undefined : positionOf(repository, input.cursor),
    paths: pathsInside(repository, input.paths ?? []),
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

/** Git writes the bytes before a cursor too, and they are held in memory. */
const MAX_SKIP = 8_388_608;

/** @throws ToolError PATH_OUTSIDE_ROOTS, INVALID_PATH, TOO_LARGE */
function positionOf(repository: Repository, cursor: string): DiffPosition {
  const { path, ...position } = parseDiffCursor(cursor);
  if (position.skip > MAX_SKIP)
    throw new ToolError('TOO_LARGE', `the diff of one file is shown up to ${MAX_SKIP} bytes`, {
      hint: 'name other files in paths; git_show shows a file',
    });
  return { path: pathInside(repository, path), ...position };
}

/** The commit that a diff begins at; none: where git begins by itself. */
export async function baseOf(repository: Repository, { base, merge_base }: BasedDiffInput): Promise<readonly string[]> {
  if (base === undefined && !merge_base) return [];
  const oid = await resolveCommit(repository, base ?? 'HEAD');
  return [merge_base ? await commonAncestor(repository, oid, await resolveCommit(repository, 'HEAD')) : oid];
}
