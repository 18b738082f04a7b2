import { Integer, Result, Text, ToolError, escapeInvisible, type RequestContext } from '@org/mcp-decorators';
import { takeFittingItems } from '@org/mcp-host';

import { readBlobLines, type BlobLines } from '../../repository/content/blob-lines.ts';
import { requireBlob } from '../../repository/content/blob.ts';
import { BlameReader } from '../../repository/parse/blame.ts';
import { decodeBody } from '../../repository/parse/fields.ts';
import { resolveCommit } from '../../repository/refs/revision.ts';
import type { Repository } from '../../repository/repository.ts';
import { resolvePath } from '../../repository/work-tree/paths.ts';
import { formatCount, shortOid } from '../../text/format.ts';
import { quoteInput, visibleBody } from '../../text/visible.ts';
import { RepositoryInput } from '../inputs/repository-input.ts';

export class GitBlameInput extends RepositoryInput {
  @Text('File path') path!: string;
  @Text('Branch, tag or commit; default: HEAD', { optional: true }) revision?: string;
  @Integer('First line, from 1', { optional: true, min: 1 }) start_line?: number;
  @Integer('Last line', { optional: true, min: 1 }) end_line?: number;
}

/** Consecutive lines that one commit wrote. */
export interface BlameHunk {
  readonly oid: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly author: string;
  readonly date: string;
  /** First line of the commit message. */
  readonly summary: string;
  readonly original_path?: string;
}

/** The commits that wrote the lines of a file. */
export interface Blame {
  readonly path: string;
  readonly oid: string;
  readonly hunks: readonly BlameHunk[];
  readonly total_lines: number;
  /** Whether more lines were requested than the hunks contain. */
  readonly truncated: boolean;
}

/** A blame, and the text of the blamed lines. */
interface BlamedFile {
  readonly blame: Blame;
  /** The lines of the hunks, without line endings. */
  readonly lines: readonly string[];
}

/**
 * Finds the commit that wrote each line of a file. Uncommitted changes are ignored. Returns at most `maxEntries` lines and `maxBytes`
 * bytes; the file may have any size.
 *
 * Reports progress in lines.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO, PATH_NOT_FOUND, PATH_OUTSIDE_ROOTS, TOO_LARGE, INVALID_ARGUMENTS
 */
export async function gitBlame(repository: Repository, input: GitBlameInput, context: RequestContext): Promise<Result> {
  return formatBlame(await blameFile(repository, input, context), repository.limits.maxBytes);
}

async function blameFile(repository: Repository, input: GitBlameInput, context: RequestContext): Promise<BlamedFile> {
  const oid = await resolveCommit(repository, input.revision ?? 'HEAD');
  const path = resolvePath(repository, input.path);
  const { maxBytes, maxEntries } = repository.limits;
  const { start_line: from = 1, end_line: last = Infinity } = input;
  const blob = await requireBlob(repository, oid, input.path);
  const found = await readBlobLines(repository, blob, { from, maxLines: Math.min(last - from + 1, maxEntries), maxBytes });
  const range = resolveRange(input, found);
  if (found.count === 0 && range.start <= found.total)
    throw new ToolError('TOO_LARGE', `line ${from} of ${quoteInput(path)} has more than ${maxBytes} bytes`, {
      hint: 'the operator can raise the limit with --max-bytes',
    });
  const hunks = range.end < range.start ? [] : await blameLines(repository, [oid, '--', path], range, context);
  const blame = { path, oid, hunks, total_lines: found.total, truncated: range.truncated };
  return { blame, lines: splitLines(found.content) };
}

interface LineRange {
  readonly start: number;
  readonly end: number;
  readonly truncated: boolean;
}

function resolveRange({ path, start_line, end_line }: GitBlameInput, { count, total }: Omit<BlobLines, 'content'>): LineRange {
  const start = start_line ?? 1;
  const wanted = Math.min(end_line ?? total, total);
  if ((start_line !== undefined && start > total) || (end_line !== undefined && end_line < start))
    throw new ToolError(
      'INVALID_ARGUMENTS',
      `${quoteInput(path)} has ${formatCount(total, 'line')}; the range ${start} to ${end_line ?? total} is empty`,
    );
  const end = Math.min(wanted, start + count - 1);
  return { start, end, truncated: end < wanted };
}

async function blameLines(
  repository: Repository,
  file: readonly string[],
  { start, end }: LineRange,
  context: RequestContext,
): Promise<BlameHunk[]> {
  const reader = new BlameReader();
  const total = end - start + 1;
  await repository.read(['blame', '--incremental', '--no-textconv', '-L', `${start},${end}`, ...file], {
    onOutput: (chunk) => {
      reader.feed(chunk);
      context.progress(reader.lines, total);
    },
  });
  return reader.hunks.map(({ lines, original_path, ...hunk }) => ({
    ...hunk,
    end_line: hunk.start_line + lines - 1,
    ...(original_path !== file.at(-1) && { original_path }),
  }));
}

function splitLines(content: Buffer): readonly string[] {
  const lines = decodeBody(content).split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Returns the lines with their commits as text, and the hunks in `_meta`. */
function formatBlame({ blame, lines }: BlamedFile, maxBytes: number): Result {
  const first = blame.hunks[0]?.start_line ?? 1;
  if (blame.hunks.length === 0) return Result.text('', { facts: { ...blame }, note: 'The file is empty.' });
  const texts = blame.hunks.flatMap((hunk) => formatHunk(hunk, lines.slice(hunk.start_line - first, hunk.end_line - first + 1)));
  const shown = takeFittingItems(texts, maxBytes);
  const next = first + shown.length;
  const hunks = blame.hunks.filter(({ start_line }) => start_line < next);
  const cut = hunks.map((hunk) => ({ ...hunk, end_line: Math.min(hunk.end_line, next - 1) }));
  const truncated = blame.truncated || shown.length < texts.length;
  const note = truncated ? `Continue with start_line ${next} of ${blame.total_lines}.` : undefined;
  return Result.text(shown.join('\n'), { facts: { ...blame, hunks: cut, truncated }, note });
}

/** Returns a text for each line. The first text starts with the commit. */
function formatHunk({ oid, author, date, summary, start_line }: BlameHunk, lines: readonly string[]): readonly string[] {
  const commit = `${shortOid(oid)} ${date.slice(0, 10)} ${escapeInvisible(author)}: ${escapeInvisible(summary)}\n`;
  return lines.map((line, offset) => `${offset === 0 ? commit : ''}${start_line + offset}\t${visibleBody(line)}`);
}
