import { Integer, Text, ToolError, type RequestContext } from '@org/mcp-decorators';

import { blobInfo } from '../repository/blob.ts';
import { readLines, type BlobLines } from '../repository/blob-lines.ts';
import { BlameReader } from '../repository/parse/blame.ts';
import { bodyOf } from '../repository/parse/fields.ts';
import { pathInside } from '../repository/paths.ts';
import type { Repository } from '../repository/repository.ts';
import { resolveCommit } from '../repository/revision.ts';
import { RepositoryInput } from './repository-input.ts';
import { counted } from '../text/counted.ts';
import { quoted } from '../text/visible.ts';

export class GitBlameInput extends RepositoryInput {
  @Text('A file') path!: string;
  @Text('Branch, tag or commit; default: HEAD', { optional: true }) revision?: string;
  @Integer('First line, from 1', { optional: true, min: 1 }) start_line?: number;
  @Integer({ optional: true, min: 1 }) end_line?: number;
}

/** Lines that one commit wrote. */
export interface BlameHunk {
  readonly oid: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly author: string;
  readonly date: string;
  /** First line of the message. */
  readonly summary: string;
  readonly original_path?: string;
}

/** Which commit wrote which lines. */
export interface Blame {
  readonly path: string;
  readonly oid: string;
  readonly hunks: readonly BlameHunk[];
  readonly total_lines: number;
  /** Lines follow those of the last hunk. */
  readonly truncated: boolean;
}

/** A blame with the lines it is about, for the text. */
export interface BlamedFile {
  readonly blame: Blame;
  /** Those of the hunks, without their ends. */
  readonly lines: readonly string[];
}

/**
 * Who wrote which lines, as the commits have it: changes in the work tree do not count. At most `maxEntries` lines, of at most
 * `maxBytes` together; the file may be of any size.
 *
 * Reports progress in lines, as git finds out about them.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO, PATH_NOT_FOUND, PATH_OUTSIDE_ROOTS, TOO_LARGE, INVALID_ARGUMENTS
 */
export async function gitBlame(repository: Repository, input: GitBlameInput, context: RequestContext): Promise<BlamedFile> {
  const oid = await resolveCommit(repository, input.revision ?? 'HEAD');
  const path = pathInside(repository, input.path);
  const { maxBytes, maxEntries } = repository.limits;
  const { start_line: from = 1, end_line: last = Infinity } = input;
  const blob = await blobInfo(repository, oid, input.path);
  const found = await readLines(repository, blob, { from, most: Math.min(last - from + 1, maxEntries), maxBytes });
  const range = rangeOf(input, found);
  if (found.count === 0 && range.start <= found.total)
    throw new ToolError('TOO_LARGE', `line ${from} of ${quoted(path)} has more than ${maxBytes} bytes`, {
      hint: '--max-bytes raises the limit',
    });
  const hunks = range.end < range.start ? [] : await blameLines(repository, [oid, '--', path], range, context);
  const blame = { path, oid, hunks, total_lines: found.total, truncated: range.truncated };
  return { blame, lines: linesOf(found.content) };
}

interface LineRange {
  readonly start: number;
  readonly end: number;
  readonly truncated: boolean;
}

function rangeOf({ path, start_line, end_line }: GitBlameInput, { count, total }: Omit<BlobLines, 'content'>): LineRange {
  const start = start_line ?? 1;
  const wanted = Math.min(end_line ?? total, total);
  if ((start_line !== undefined && start > total) || (end_line !== undefined && end_line < start))
    throw new ToolError(
      'INVALID_ARGUMENTS',
      `${quoted(path)} has ${counted(total, 'line')}; there are none from ${start} to ${end_line ?? total}`,
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

function linesOf(content: Buffer): readonly string[] {
  const lines = bodyOf(content).split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
