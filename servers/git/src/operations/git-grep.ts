import { Flag, Integer, ListOf, Text, TextList, ToolError, type RequestContext } from '@org/mcp-decorators';

import { behindLinks } from '../repository/behind-links.ts';
import { FoundPage, type FoundPosition } from '../repository/found-page.ts';
import { GrepReader, type GreppedLine } from '../repository/parse/grep.ts';
import { pathspecs } from '../repository/pathspecs.ts';
import type { Repository } from '../repository/repository.ts';
import { resolveCommit } from '../repository/revision.ts';
import { requireWorkTree } from '../repository/work-tree.ts';
import { RepositoryInput } from './repository-input.ts';

export class GitGrepInput extends RepositoryInput {
  @Text('A text, on one line', { maxLength: 1000, pattern: /^[^\0\n]+$/ }) pattern!: string;
  @Flag('pattern is a POSIX extended regular expression') regex = false;
  @Flag() ignore_case = false;
  @TextList('Only these files or directories', { optional: true, maxItems: 1000 }) paths?: string[];

  @TextList('Only files whose names fit one of these, such as *.ts or src/**/*.md', { optional: true, maxItems: 50 })
  globs?: string[];

  @Text('Branch, tag or commit to look in; default: tracked files of the work tree', { optional: true }) revision?: string;
  @Integer('Lines around each match', { min: 0, max: 100 }) context_lines = 0;
  @Integer('Most lines that match', { min: 1 }) limit = 100;
  @Text('Previous next_cursor', { optional: true }) cursor?: string;
}

export class FoundLine {
  @Integer() line!: number;
  @Integer('In bytes, of the first match; absent around one', { optional: true }) column?: number;
  @Text('At most 500 characters') text!: string;
}

export class FoundFile {
  @Text() path!: string;
  @ListOf(() => FoundLine) lines!: FoundLine[];
}

/** Lines that match, by file. */
export class FoundLines {
  @ListOf(() => FoundFile, 'By path') files!: FoundFile[];
  @Integer('Lines that match') matches!: number;
  @Flag() truncated!: boolean;
  @Text({ optional: true }) next_cursor?: string;
}

const FLAGS = ['--null', '--line-number', '--column', '-I', '--no-color', '--full-name', '--no-heading', '--no-break'];
const FLAGS_OF_OURS = ['--no-textconv', '--no-recurse-submodules', '--threads=2'];

/**
 * Lines of text files that contain a text or match a pattern, at most `limit` and `maxBytes` of them: git is ended there.
 *
 * Reports progress in matches.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO, PATH_OUTSIDE_ROOTS, INVALID_ARGUMENTS, NO_WORK_TREE
 */
export async function gitGrep(repository: Repository, input: GitGrepInput, context: RequestContext): Promise<FoundLines> {
  const limit = Math.min(input.limit, repository.limits.maxEntries);
  if (input.revision === undefined) requireWorkTree(repository);
  const oid = input.revision === undefined ? undefined : await resolveCommit(repository, input.revision);
  const found = new FoundPage(limit, repository.limits.maxBytes, startOf(input.cursor));
  const reader = new GrepReader((line) => found.add(line), oid === undefined ? '' : `${oid}:`);
  const { args, env } = pathspecs(repository, input.paths, input.globs);
  const flags = [...FLAGS, ...FLAGS_OF_OURS, `--context=${input.context_lines}`, ...(input.ignore_case ? ['--ignore-case'] : [])];
  // By stdin, a pattern is nothing but a pattern.
  const pattern = [input.regex ? '--extended-regexp' : '--fixed-strings', '-f', '-'];
  await repository.read(['grep', ...flags, ...pattern, ...(oid === undefined ? [] : [oid]), ...args], {
    codes: [0, 1],
    input: input.pattern,
    env,
    onOutput: (chunk) => {
      reader.feed(chunk);
      context.progress(Math.min(found.matches, limit), limit);
    },
    isEnough: () => found.isFull,
  });
  return pageOf(found, oid === undefined ? repository : undefined, input.context_lines);
}

/** @param workTree where the lines are from, unless they are a commit's */
async function pageOf(found: FoundPage, workTree: Repository | undefined, contextLines: number): Promise<FoundLines> {
  const { lines, next } = found.page(contextLines);
  const all = filesOf(lines);
  const names = all.map(({ path }) => path);
  const outside = workTree === undefined ? new Set() : await behindLinks(workTree, names);
  const files = all.filter(({ path }) => !outside.has(path));
  const matches = files.flatMap((file) => file.lines).filter(({ column }) => column !== undefined).length;
  return { files, matches, truncated: found.isFull, ...(next && { next_cursor: `${next.line}:${next.path}` }) };
}

/** @throws ToolError INVALID_ARGUMENTS */
function startOf(cursor: string | undefined): FoundPosition | undefined {
  if (cursor === undefined) return undefined;
  const { line, path } = /^(?<line>\d{1,10}):(?<path>.+)$/s.exec(cursor)?.groups ?? {};
  if (line !== undefined && path !== undefined) return { path, line: Number(line) };
  throw new ToolError('INVALID_ARGUMENTS', 'the cursor is none that git_grep returned', { hint: 'leave it out to begin again' });
}

function filesOf(lines: readonly GreppedLine[]): FoundFile[] {
  const files = new Map<string, FoundLine[]>();
  for (const { path, line, column, text } of lines) {
    const shown = files.get(path) ?? [];
    shown.push({ line, ...(column !== undefined && { column }), text });
    files.set(path, shown);
  }
  return [...files].map(([path, shown]) => ({ path, lines: shown }));
}
