import { Flag, Integer, Result, Text, TextList } from '@org/mcp-decorators';

import { readHunks, type Hunk } from '../../repository/content/hunks.ts';
import { decodeBody } from '../../repository/parse/fields.ts';
import type { Repository } from '../../repository/repository.ts';
import { requireWorkTree, resolvePaths } from '../../repository/work-tree/paths.ts';
import { cutLines } from '../../text/cut.ts';
import { visibleBody } from '../../text/visible.ts';
import { parseSkip, requireWithin } from '../inputs/list-page.ts';
import { RepositoryInput } from '../inputs/repository-input.ts';
import { formatPath } from '../../repository/parse/path-bytes.ts';

export class GitHunksInput extends RepositoryInput {
  @Flag('Hunks of the index, to unstage them; default: hunks of the work tree, to stage them') staged = false;
  @TextList('Files or directories', { optional: true, maxItems: 1000 }) paths?: string[];
  @Integer('Maximum number of hunks', { min: 1 }) limit = 50;
  @Text('next_cursor of the previous page', { optional: true }) cursor?: string;
}

/** Facts about a hunk, for programs. */
interface ListedHunk {
  readonly id: string;
  readonly path: string;
  /** First line in the new version of the file. */
  readonly start: number;
  /** Number of lines, with context. */
  readonly lines: number;
}

/** A hunk for the view of the status. Its texts are decoded, and long lines are cut. */
export interface ViewedHunk extends Omit<Hunk, 'header'> {
  /** Number of further lines of the hunk. */
  readonly more: number;
}

/** Maximum number of characters of a line (`MAX_VIEWED_LINE`), and of lines of a hunk (`MAX_VIEWED_LINES`), in a view. */
const MAX_VIEWED_LINE = 2000;
const MAX_VIEWED_LINES = 2000;

/** Facts about a page of hunks, for programs. */
export interface HunkPage {
  readonly hunks: readonly ListedHunk[];
  readonly total: number;
  readonly next_cursor?: string;
}

/**
 * Lists the hunks of the unstaged or the staged changes, with the ids that `git_stage_hunks` and `git_unstage_hunks` accept. The lines
 * of each hunk are numbered from 1. Returns at most `maxEntries` hunks and `maxBytes` bytes. A hunk of more than half of
 * `maxBytes` is cut.
 *
 * @throws ToolError PATH_OUTSIDE_ROOTS, INVALID_ARGUMENTS, TOO_LARGE, NO_WORK_TREE
 */
export async function gitHunks(repository: Repository, input: GitHunksInput): Promise<Result> {
  requireWorkTree(repository);
  const all = await readHunks(repository, input.staged ? 'staged' : 'unstaged', resolvePaths(repository, input.paths ?? []));
  const skip = parseSkip(input.cursor);
  requireWithin(skip, all.length);
  const { maxBytes, maxEntries } = repository.limits;
  const shown: string[] = [];
  let bytes = 0;
  for (const [index, hunk] of all.slice(skip, skip + Math.min(input.limit, maxEntries)).entries()) {
    const text = formatHunk(hunk, all[skip + index - 1]?.path, maxBytes / 2);
    bytes += Buffer.byteLength(text) + 1;
    if (bytes > maxBytes && shown.length > 0) break;
    shown.push(text);
  }
  return formatPage(all, { skip, shown, kind: input.staged ? 'staged' : 'unstaged' });
}

function formatHunk({ id, path, oldStart, place, lines }: Hunk, previous: string | undefined, maxBytes: number): string {
  const width = String(lines.length).length;
  const numbered = lines.map((line, index) => `${String(index + 1).padStart(width)} ${line}`).join('\n');
  const body = visibleBody(decodeBody(Buffer.from(numbered, 'latin1')));
  const { text, truncated } = cutLines(body, maxBytes);
  const where = visibleBody(decodeBody(Buffer.from(place, 'latin1')));
  return [
    ...(path === previous ? [] : [formatPath(path)]),
    `${id} at line ${oldStart}${where === '' ? '' : `, ${where}`}`,
    text,
    ...(truncated ? [`… the hunk has ${lines.length} lines`] : []),
  ].join('\n');
}

interface ShownHunks {
  readonly skip: number;
  readonly shown: readonly string[];
  readonly kind: string;
}

function formatPage(all: readonly Hunk[], { skip, shown, kind }: ShownHunks): Result {
  const end = skip + shown.length;
  const hunks = all.slice(skip, end).map(({ id, path, newStart, lines }) => ({ id, path, start: newStart, lines: lines.length }));
  const page: HunkPage = { hunks, total: all.length, ...(end < all.length && { next_cursor: String(end) }) };
  const note = end < all.length ? `${shown.length} of ${all.length} hunks are shown. Continue with cursor ${end}.` : undefined;
  if (all.length === 0) return Result.text(`No ${kind} hunks; untracked and binary files have none`, { facts: { ...page } });
  const forView = (): object => ({ hunks: all.slice(skip, end).map(viewHunk) });
  return Result.text(shown.join('\n'), { facts: { ...page }, note, forView });
}

function viewHunk({ id, path, oldStart, newStart, place, lines }: Hunk): ViewedHunk {
  const decode = (line: string): string => {
    const text = decodeBody(Buffer.from(line, 'latin1'));
    return text.length > MAX_VIEWED_LINE ? `${text.slice(0, MAX_VIEWED_LINE)}…` : text;
  };
  const shown = lines.slice(0, MAX_VIEWED_LINES).map(decode);
  return { id, path, oldStart, newStart, place: decode(place), lines: shown, more: lines.length - shown.length };
}
