import { Flag, Integer, Result, Text, TextList, escapeInvisible, type RequestContext } from '@org/mcp-decorators';
import { takeFittingItems } from '@org/mcp-host';

import { countCommits } from '../../repository/parse/log.ts';
import { decodeOutput } from '../../repository/parse/fields.ts';
import { requireCommits, resolveCommit } from '../../repository/refs/revision.ts';
import type { Repository } from '../../repository/repository.ts';
import { cutSubject } from '../../text/cut.ts';
import { shortOid } from '../../text/format.ts';
import { parseSkip, requireWithin } from '../inputs/list-page.ts';
import { RepositoryInput } from '../inputs/repository-input.ts';

export class GitGraphInput extends RepositoryInput {
  @TextList('Branches, tags or commits to start at; default: HEAD and all branches and tags', { optional: true, maxItems: 100 })
  revisions?: string[];
  @Integer('Maximum number of commits', { min: 1 }) max_count = 30;
  @Flag('Omit merge commits') no_merges = false;
  @Flag('Follow only first parents') first_parent = false;
  @Text('next_cursor of the previous page', { optional: true }) cursor?: string;
}

/** A line of a graph, and the facts about its commit. */
interface GraphLine {
  readonly text: string;
  /** Object name of the commit on the line; `undefined` for a line that only draws. */
  readonly oid: string | undefined;
  readonly commit?: ViewedCommit;
}

/** A commit for the view of the graph. */
export interface ViewedCommit {
  readonly oid: string;
  readonly parents: readonly string[];
  /** Author's date, such as 2026-07-28. */
  readonly date: string;
  readonly author: string;
  /** Branches and tags, such as `HEAD -> main`. */
  readonly refs: readonly string[];
  readonly subject: string;
}

/** Facts about a graph, for programs. */
export interface CommitGraph {
  /** Object names of the commits, in the order of their lines. */
  readonly commits: readonly string[];
  readonly next_cursor?: string;
}

/** Fields of a commit after the drawing of its line: object name, parents, date, author, references and subject. */
const FORMAT = '%x00%H%x00%P%x00%as%x00%an%x00%D%x00%s';
const FIELDS = 6;
const SHOWN_REFS = ['HEAD', 'refs/heads/', 'refs/remotes/', 'refs/tags/'].map((refs) => `--decorate-refs=${refs}`);

const COMMAND = ['log', '--graph', '--no-show-signature', '--no-color', '--encoding=UTF-8', `--format=${FORMAT}`, ...SHOWN_REFS];

/**
 * Draws a page of the commit graph with at most `maxCommits` commits and `maxBytes` bytes, with branches and tags beside the commits.
 * Backup refs and stashes are not shown.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO, INVALID_ARGUMENTS
 */
export async function gitGraph(repository: Repository, input: GitGraphInput, context: RequestContext): Promise<Result> {
  const skip = parseSkip(input.cursor);
  const count = Math.min(input.max_count, repository.limits.maxCommits);
  const starts = await resolveStarts(repository, input);
  let seen = 0;
  const { stdout } = await repository.read(
    [...COMMAND, ...buildFlags(input), `--max-count=${count + 1}`, `--skip=${skip}`, ...starts, '--'],
    {
      onOutput: (chunk) => context.progress(Math.min(Math.floor((seen += countCommits(chunk, FIELDS))), count), count),
    },
  );
  const lines = parseGraph(stdout);
  requireWithin(skip, skip + countShown(lines));
  return formatGraph(lines, { count, skip, maxBytes: repository.limits.maxBytes });
}

function buildFlags(input: GitGraphInput): readonly string[] {
  return [...(input.no_merges ? ['--no-merges'] : []), ...(input.first_parent ? ['--first-parent'] : [])];
}

async function resolveStarts(repository: Repository, { revisions = [] }: GitGraphInput): Promise<readonly string[]> {
  if (revisions.length > 0) return Promise.all(revisions.map((revision) => resolveCommit(repository, revision)));
  await requireCommits(repository);
  return ['--branches', '--tags', '--remotes', 'HEAD'];
}

function parseGraph(stdout: Buffer): readonly GraphLine[] {
  const { text, words } = decodeOutput(stdout);
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => {
    const [drawn = '', oid, ...fields] = line.split('\0');
    if (oid === undefined) return { text: drawn.trimEnd(), oid };
    const [parents = '', date = '', author = '', refs = '', subject = ''] = fields.map(words);
    const names = refs === '' ? '' : ` (${escapeInvisible(refs)})`;
    return {
      text: `${drawn}${shortOid(oid)} ${date} ${escapeInvisible(author)}:${names} ${escapeInvisible(cutSubject(subject))}`,
      oid,
      commit: {
        oid,
        parents: splitWords(parents, ' '),
        date,
        author,
        refs: splitWords(refs, ', '),
        subject: cutSubject(subject),
      },
    };
  });
}

function splitWords(text: string, separator: string): readonly string[] {
  return text === '' ? [] : text.split(separator);
}

function countShown(lines: readonly GraphLine[]): number {
  return lines.filter(({ oid }) => oid !== undefined).length;
}

interface GraphPage {
  /** Maximum number of commits. */
  readonly count: number;
  /** Number of commits on earlier pages. */
  readonly skip: number;
  readonly maxBytes: number;
}

function formatGraph(lines: readonly GraphLine[], { count, skip, maxBytes }: GraphPage): Result {
  const end = lines.findIndex((_, index) => countShown(lines.slice(0, index + 1)) > count);
  const shown = takeFittingItems(end === -1 ? lines : lines.slice(0, end), maxBytes);
  const commits = shown.flatMap(({ oid }) => oid ?? []);
  const next = countShown(lines) > commits.length && commits.length > 0 ? { next_cursor: String(skip + commits.length) } : {};
  const graph: CommitGraph = { commits, ...next };
  const note = graph.next_cursor === undefined ? undefined : `Continue with cursor ${graph.next_cursor}.`;
  return Result.text(shown.length === 0 ? 'No commits found' : shown.map(({ text }) => text).join('\n'), {
    facts: { ...graph },
    note,
    forView: () => ({ commits: shown.flatMap(({ commit }) => commit ?? []) }),
  });
}
