import { Integer, Result, Text, ToolError, escapeInvisible, type RequestContext } from '@org/mcp-decorators';
import { takeFittingItems } from '@org/mcp-host';

import { requireBlob } from '../../repository/content/blob.ts';
import { DIFF_FLAGS } from '../../repository/content/diff-flags.ts';
import { countCommits } from '../../repository/parse/log.ts';
import { decodeBody, decodeText } from '../../repository/parse/fields.ts';
import { resolveCommit } from '../../repository/refs/revision.ts';
import type { Repository } from '../../repository/repository.ts';
import { resolvePath } from '../../repository/work-tree/paths.ts';
import { cutSubject, cutLines } from '../../text/cut.ts';
import { shortOid } from '../../text/format.ts';
import { visibleBody } from '../../text/visible.ts';
import { parseSkip, requireWithin } from '../inputs/list-page.ts';
import { RepositoryInput } from '../inputs/repository-input.ts';

export class GitLineHistoryInput extends RepositoryInput {
  @Text('File path') path!: string;
  @Integer('First line, from 1', { min: 1 }) start_line!: number;
  @Integer('Last line', { min: 1 }) end_line!: number;
  @Text('Branch, tag or commit whose lines are counted; default: HEAD', { optional: true }) revision?: string;
  @Integer('Maximum number of commits', { min: 1 }) max_count = 10;
  @Text('next_cursor of the previous page', { optional: true }) cursor?: string;
}

/** Facts about the history of lines, for programs. */
export interface LineHistory {
  readonly path: string;
  /** The commits that changed the lines, newest first. */
  readonly commits: readonly string[];
  readonly next_cursor?: string;
}

/** A commit that changed the lines. */
interface LineChange {
  readonly oid: string;
  readonly text: string;
}

/** Fields of a commit before its patch. No line of a patch begins with NUL, so a file cannot forge a commit. */
const FORMAT = '%x00%H%x00%as%x00%an%x00%s%x00';
const FIELDS = 5;
const COMMAND = ['log', '--no-show-signature', '--encoding=UTF-8', `--format=${FORMAT}`, ...DIFF_FLAGS];
/** Maximum number of bytes of the patch of one commit. A larger patch is cut. */
const MAX_PATCH_BYTES = 16_384;

/**
 * Finds the commits that changed a range of lines, with the patch of these lines. Follows the lines to their former numbers and the
 * file to its former names. Returns at most `maxCommits` commits and `maxBytes` bytes.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO, PATH_NOT_FOUND, PATH_OUTSIDE_ROOTS, INVALID_ARGUMENTS
 */
export async function gitLineHistory(
  repository: Repository,
  input: GitLineHistoryInput,
  context: RequestContext,
): Promise<Result> {
  const { start_line: start, end_line: end } = input;
  if (end < start) throw new ToolError('INVALID_ARGUMENTS', `the range ${start} to ${end} is empty`);
  const oid = await resolveCommit(repository, input.revision ?? 'HEAD');
  const path = resolvePath(repository, input.path);
  await requireBlob(repository, oid, input.path);
  const skip = parseSkip(input.cursor);
  const { maxBytes, maxCommits } = repository.limits;
  const count = Math.min(input.max_count, maxCommits);
  let seen = 0;
  const range = [`-L${start},${end}:${path}`, `--max-count=${count + 1}`, `--skip=${skip}`, oid];
  const { stdout } = await repository.read([...COMMAND, ...range], {
    onOutput: (chunk) => context.progress(Math.min(Math.floor((seen += countCommits(chunk, FIELDS))), count), count),
  });
  const found = parseChanges(stdout);
  requireWithin(skip, skip + found.length);
  const shown = takeFittingItems(found.slice(0, count), maxBytes);
  const next = found.length > shown.length && shown.length > 0 ? { next_cursor: String(skip + shown.length) } : {};
  return formatHistory({ path, commits: shown.map((change) => change.oid), ...next }, shown);
}

function parseChanges(stdout: Buffer): readonly LineChange[] {
  const starts = findStarts(stdout);
  return starts.map((start, index) => {
    const fields: Buffer[] = [];
    let position = start + 1;
    for (let field = 0; field < 4; field += 1) {
      const end = stdout.indexOf(0, position);
      fields.push(stdout.subarray(position, end));
      position = end + 1;
    }
    const [oid = '', date = '', author = '', subject = ''] = fields.map(decodeText);
    const body = visibleBody(decodeBody(stdout.subarray(position, starts[index + 1] ?? stdout.length)).trim());
    const { text: patch, truncated } = cutLines(body, MAX_PATCH_BYTES);
    const head = `${shortOid(oid)} ${date} ${escapeInvisible(author)}: ${escapeInvisible(cutSubject(subject))}`;
    return { oid, text: `${head}\n${patch}${truncated ? '\n… the rest of the patch is not shown' : ''}\n` };
  });
}

/** Returns the positions of the NUL with which a commit begins: at the start, or after a line break. */
function findStarts(stdout: Buffer): readonly number[] {
  const starts: number[] = stdout[0] === 0 ? [0] : [];
  for (let at = stdout.indexOf('\n\0'); at !== -1; at = stdout.indexOf('\n\0', at + 2)) starts.push(at + 1);
  return starts;
}

function formatHistory(history: LineHistory, shown: readonly LineChange[]): Result {
  const note = history.next_cursor === undefined ? undefined : `Continue with cursor ${history.next_cursor}.`;
  const body =
    shown.length === 0
      ? 'No commits found'
      : shown
          .map(({ text }) => text)
          .join('\n')
          .trimEnd();
  return Result.text(body, { facts: { ...history }, note });
}
