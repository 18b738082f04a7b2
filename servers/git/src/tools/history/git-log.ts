import {
  Flag,
  Integer,
  ListOf,
  ObjectOf,
  openCursor,
  Result,
  sealCursor,
  Text,
  TextList,
  ToolError,
  escapeInvisible,
  type RequestContext,
} from '@org/mcp-decorators';
import { takeFittingItems } from '@org/mcp-host';

import { DIFF_FLAGS } from '../../repository/content/diff-flags.ts';
import { countCommits, LOG_FORMAT, parseCutCommit, parseLog, type LoggedCommit } from '../../repository/parse/log.ts';
import { explainGitFailure } from '../../repository/process/failures.ts';
import type { GitOutput } from '../../repository/process/run-process.ts';
import {
  advanceLogPosition,
  buildWalkArguments,
  formatLogCursor,
  parseLogCursor,
  resolveLogStart,
  type LogPosition,
} from '../../repository/refs/log-position.ts';
import { requireCommits } from '../../repository/refs/revision.ts';
import type { Repository } from '../../repository/repository.ts';
import { resolvePaths } from '../../repository/work-tree/paths.ts';
import { formatCount, shortOid } from '../../text/format.ts';
import { visibleBody } from '../../text/visible.ts';
import { RepositoryInput } from '../inputs/repository-input.ts';
import { buildLogFilters } from './log-filters.ts';

export class GitLogInput extends RepositoryInput {
  @Integer('Default: 10', { min: 1 }) max_count = 10;
  @Text('next_cursor of the previous page', { optional: true }) cursor?: string;
  @Text('Branch, tag, commit, A..B or A...B; default: HEAD', { optional: true }) revision?: string;
  @Text('ISO 8601, or words such as "2 weeks ago"', { optional: true }) since?: string;
  @Text('Like since', { optional: true }) until?: string;
  @Text('Same as since', { optional: true }) start_timestamp?: string;
  @Text('Same as until', { optional: true }) end_timestamp?: string;
  @Text('Part of the name or email', { optional: true, maxLength: 1000 }) author?: string;
  @Text('Part of the message', { optional: true, maxLength: 1000 }) grep?: string;
  @TextList('Files or directories', { optional: true }) paths?: string[];
  @Text('Text that a commit adds or removes', { optional: true, minLength: 1, maxLength: 1000 }) pickaxe?: string;
  @Flag('author, grep and pickaxe are regular expressions') regex = false;
  @Flag('Follow renames of one path') follow = false;
  @Flag('Follow only first parents') first_parent = false;
  @Flag('Count changed files and lines') stats = false;
}

export class CommitSize {
  @Integer() files!: number;
  @Integer() added!: number;
  @Integer() removed!: number;
}

export class Commit {
  @Text() oid!: string;
  @TextList('Parents of a merge commit', { optional: true }) parents?: string[];
  @Text() author!: string;
  @Text() email!: string;
  @Text('ISO 8601') date!: string;
  @Text() message!: string;
  @ObjectOf(() => CommitSize, { optional: true }) stats?: CommitSize;
}

/** A page of the log, newest commit first. */
export class CommitPage {
  @ListOf(() => Commit) commits!: Commit[];
  @Text({ optional: true }) next_cursor?: string;
  @Flag() truncated!: boolean;
}

/**
 * Returns a page of the log with at most `maxCommits` commits and `maxBytes` bytes. Reports progress in commits while git finds them.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO, INVALID_ARGUMENTS, PATH_OUTSIDE_ROOTS
 */
export async function gitLog(repository: Repository, input: GitLogInput, context: RequestContext): Promise<Result> {
  const page = await readLogPage(repository, await openCursor(input, context), context);
  return formatLog(await sealCursor(page, context));
}

export async function readLogPage(
  repository: Repository,
  input: GitLogInput,
  context?: Pick<RequestContext, 'progress'>,
): Promise<CommitPage> {
  const filters = buildLogFilters(input);
  const paths = resolvePaths(repository, input.paths ?? []);
  if (input.follow && paths.length !== 1) throw new ToolError('INVALID_ARGUMENTS', 'follow needs exactly one path');
  const isExact = filters.length + paths.length === 0;
  const start = await resolveStart(repository, input, isExact);
  const count = Math.min(input.max_count, repository.limits.maxCommits);
  const command = [...buildCommand(input), `--max-count=${count + 1}`, ...filters, ...buildWalkArguments(start), '--', ...paths];
  let seen = 0;
  const output = await repository.read(command, {
    codes: [0, 128],
    maxBytes: repository.limits.maxBytes,
    onOutput: (chunk) => context?.progress(Math.min(Math.floor((seen += countCommits(chunk))), count), count),
  });
  if (output.code !== 0) await explainFailure(repository, output);
  return buildPage(parseCommits(output), {
    count,
    maxBytes: repository.limits.maxBytes,
    more: output.isTruncated,
    start,
    isExact,
    firstParent: input.first_parent,
  });
}

function buildCommand({ first_parent, follow, stats }: GitLogInput): readonly string[] {
  return [
    'log',
    '-z',
    '--no-show-signature',
    '--no-color',
    '--encoding=UTF-8',
    `--format=${LOG_FORMAT}`,
    ...(first_parent ? ['--first-parent'] : []),
    ...(follow ? ['--follow'] : []),
    ...(stats ? [...DIFF_FLAGS, '--shortstat'] : []),
  ];
}

function parseCommits({ stdout, isTruncated }: GitOutput): readonly LoggedCommit[] {
  const whole = parseLog(stdout);
  if (!isTruncated || whole.length > 0) return whole;
  return [parseCutCommit(stdout)].filter((commit) => commit !== undefined);
}

interface Walk {
  readonly count: number;
  readonly maxBytes: number;
  /** Whether git was stopped before the end of its output. */
  readonly more: boolean;
  readonly start: LogPosition;
  readonly isExact: boolean;
  readonly firstParent: boolean;
}

function buildPage(found: readonly LoggedCommit[], { count, maxBytes, more, start, ...walk }: Walk): CommitPage {
  const commits = takeFittingItems(found.slice(0, count).map(toCommit), maxBytes);
  const shown = found.slice(0, commits.length);
  const next = found[commits.length];
  if (next === undefined && !more) return { commits, truncated: false };
  const [first] = shown;
  // HEAD may move before the next page is requested, so the cursor contains the commit instead.
  const from = start.from.map((revision) => (revision === 'HEAD' ? (first?.oid ?? revision) : revision));
  const position = advanceLogPosition({ ...walk, commits: shown, next, start: { ...start, from } });
  return { commits, next_cursor: formatLogCursor(position), truncated: commits.length < count };
}

function toCommit({ committed: _, parents, stats, ...commit }: LoggedCommit): Commit {
  return { ...commit, ...(parents.length > 1 && { parents: [...parents] }), ...(stats && { stats: { ...stats } }) };
}

async function resolveStart(repository: Repository, { cursor, revision }: GitLogInput, isExact: boolean): Promise<LogPosition> {
  if (cursor !== undefined) return parseLogCursor(cursor);
  // Without filters, the first commit of the log is HEAD, so HEAD needs no lookup.
  if (revision === undefined && isExact) return { from: ['HEAD'], not: [], skip: 0 };
  return resolveLogStart(repository, revision ?? 'HEAD');
}

/** Throws the error for a failure of `git log`; in most cases, HEAD has no commit yet. */
async function explainFailure(repository: Repository, output: GitOutput): Promise<never> {
  await requireCommits(repository);
  throw explainGitFailure('log', output);
}

/**
 * Maximum number of commits shown with full messages. The text of a longer page shows one line per commit, because the structured
 * content contains the messages.
 */
const FULL_MESSAGES = 20;

function formatLog(page: CommitPage): Result {
  const commits = page.commits.map(page.commits.length > FULL_MESSAGES ? formatCommitLine : formatCommit);
  const notes = [
    ...(page.commits.length > FULL_MESSAGES
      ? [`Only subjects are shown: set max_count to at most ${FULL_MESSAGES} for full messages.`]
      : []),
    ...(page.next_cursor === undefined ? [] : [`Continue with cursor ${page.next_cursor}.`]),
  ];
  const note = notes.length === 0 ? [] : [`[${notes.join(' ')}]`];
  return Result.of(page, commits.length === 0 ? 'No commits found' : [...commits, ...note].join('\n'));
}

function formatCommit({ oid, parents = [], author, email, date, message, stats }: Commit): string {
  const merge = parents.length > 1 ? ` merge of ${parents.map(shortOid).join(' ')}` : '';
  const body = visibleBody(message)
    .split('\n')
    .map((line) => (line === '' ? '' : `    ${line}`))
    .join('\n');
  return `${oid} ${date} ${escapeInvisible(author)} <${escapeInvisible(email)}>${merge}${formatSize(stats)}\n${body}`;
}

/** Maximum number of characters of a subject in a one-line entry. */
const SUBJECT = 100;

function formatCommitLine({ oid, author, date, message, stats }: Commit): string {
  const [subject = ''] = message.split('\n', 1);
  return `${shortOid(oid)} ${date.slice(0, 10)} ${escapeInvisible(author)}: ${escapeInvisible(subject.slice(0, SUBJECT))}${formatSize(stats)}`;
}

function formatSize(size: CommitSize | undefined): string {
  return size === undefined ? '' : ` (${formatCount(size.files, 'file')}, +${size.added} -${size.removed})`;
}
