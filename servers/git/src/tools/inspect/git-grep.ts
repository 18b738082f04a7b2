import {
  Flag,
  Integer,
  ListOf,
  openCursor,
  Result,
  sealCursor,
  Text,
  TextList,
  ToolError,
  type RequestContext,
} from '@org/mcp-decorators';

import { GrepReader, type GrepLine } from '../../repository/parse/grep.ts';
import { resolveCommit } from '../../repository/refs/revision.ts';
import type { Repository } from '../../repository/repository.ts';
import { findFilesBehindLinks } from '../../repository/work-tree/behind-links.ts';
import { requireWorkTree, resolvePath, resolvePaths } from '../../repository/work-tree/paths.ts';
import { visibleBody } from '../../text/visible.ts';
import { encodePath, decodePath, formatPath } from '../../repository/parse/path-bytes.ts';
import { RepositoryInput } from '../inputs/repository-input.ts';
import { formatMore } from '../results/result-text.ts';

export class GitGrepInput extends RepositoryInput {
  @Text('Text to find, without line endings', { maxLength: 1000, pattern: /^[^\0\n]+$/ }) pattern!: string;
  @Flag('pattern is a POSIX extended regular expression') regex = false;
  @Flag('Ignore case') ignore_case = false;
  @TextList('Restrict to these files or directories', { optional: true, maxItems: 1000 }) paths?: string[];

  @TextList('Restrict to files that match one of these globs, such as *.ts or src/**/*.md', { optional: true, maxItems: 50 })
  globs?: string[];

  @Text('Branch, tag or commit to search; default: tracked files of the work tree', { optional: true }) revision?: string;
  @Integer('Number of context lines around each match', { min: 0, max: 100 }) context_lines = 0;
  @Integer('Maximum number of matching lines', { min: 1 }) limit = 100;
  @Text('next_cursor of the previous page', { optional: true }) cursor?: string;
}

export class FoundLine {
  @Integer() line!: number;
  @Integer('Byte column of the first match; absent on context lines', { optional: true }) column?: number;
  @Text('Text of the line, cut to 500 characters') text!: string;
}

export class FoundFile {
  @Text() path!: string;
  @ListOf(() => FoundLine) lines!: FoundLine[];
}

/** Matching lines, grouped by file. */
export class FoundLines {
  @ListOf(() => FoundFile, 'Files with matching lines, sorted by path') files!: FoundFile[];
  @Integer('Number of matching lines') matches!: number;
  @Flag() truncated!: boolean;
  @Text({ optional: true }) next_cursor?: string;
}

const FLAGS = ['--null', '--line-number', '--column', '-I', '--no-color', '--full-name', '--no-heading', '--no-break'];
const FLAGS_OF_OURS = ['--no-textconv', '--no-recurse-submodules', '--threads=2'];

/**
 * Searches text files for lines that contain a text or match a regular expression. git is stopped at
 * `limit` matches or `maxBytes` bytes.
 *
 * Reports progress in matches.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO, PATH_OUTSIDE_ROOTS, INVALID_ARGUMENTS, NO_WORK_TREE
 */
export async function gitGrep(repository: Repository, input: GitGrepInput, context: RequestContext): Promise<Result> {
  const found = await searchFiles(repository, await openCursor(input, context), context);
  return formatFound(await sealCursor(found, context));
}

async function searchFiles(repository: Repository, input: GitGrepInput, context: RequestContext): Promise<FoundLines> {
  const limit = Math.min(input.limit, repository.limits.maxEntries);
  if (input.revision === undefined) requireWorkTree(repository);
  const oid = input.revision === undefined ? undefined : await resolveCommit(repository, input.revision);
  const found = new GrepPage(limit, repository.limits.maxBytes, parseCursor(input.cursor));
  const reader = new GrepReader((line) => found.add(line), oid === undefined ? '' : `${oid}:`);
  const { args, env } = buildPathspecs(repository, input.paths, input.globs);
  const flags = [...FLAGS, ...FLAGS_OF_OURS, `--context=${input.context_lines}`, ...(input.ignore_case ? ['--ignore-case'] : [])];
  // The pattern is passed through stdin, so git cannot interpret the pattern as an option.
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
  return buildPage(found, oid === undefined ? repository : undefined, input.context_lines);
}

/** @param workTree the repository if its work tree was searched; `undefined` if a commit was searched */
async function buildPage(found: GrepPage, workTree: Repository | undefined, contextLines: number): Promise<FoundLines> {
  const { lines, next } = found.page(contextLines);
  const all = groupByFile(lines);
  const names = all.map(({ path }) => path);
  const outside = workTree === undefined ? new Set() : await findFilesBehindLinks(workTree, names);
  const files = all.filter(({ path }) => !outside.has(path));
  const matches = files.flatMap((file) => file.lines).filter(({ column }) => column !== undefined).length;
  return { files, matches, truncated: found.isFull, ...(next && { next_cursor: `${next.line}:${next.path}` }) };
}

/** @throws ToolError INVALID_ARGUMENTS */
function parseCursor(cursor: string | undefined): GrepPosition | undefined {
  if (cursor === undefined) return undefined;
  const { line, path } = /^(?<line>\d{1,10}):(?<path>.+)$/s.exec(cursor)?.groups ?? {};
  if (line !== undefined && path !== undefined) return { path, line: Number(line) };
  throw new ToolError('INVALID_ARGUMENTS', 'the cursor is unknown: git_grep did not return it', {
    hint: 'omit the cursor to start again',
  });
}

function groupByFile(lines: readonly GrepLine[]): FoundFile[] {
  const files = new Map<string, FoundLine[]>();
  for (const { path, line, column, text } of lines) {
    const shown = files.get(path) ?? [];
    shown.push({ line, ...(column !== undefined && { column }), text });
    files.set(path, shown);
  }
  return [...files].map(([path, shown]) => ({ path, lines: shown }));
}

function formatFound(found: FoundLines): Result {
  const lines = found.files.flatMap(formatFoundFile);
  if (found.truncated) lines.push(formatMore(found.next_cursor));
  return Result.of(found, lines.length === 0 ? 'No lines found' : lines.join('\n'));
}

/** Formats lines like `grep`: a colon after the number of a matching line, a hyphen after the number of a context line. */
function formatFoundFile({ path, lines }: FoundFile): readonly string[] {
  const shown = lines.map(({ line, column, text }) => `${line}${column === undefined ? '-' : ':'} ${visibleBody(text)}`);
  return [formatPath(path), ...shown];
}

/** Path and line of the last match on a page. The next page starts after this match. */
type GrepPosition = Pick<GrepLine, 'path' | 'line'>;

/** Maximum length of a line in a result, in characters. */
const MAX_TEXT = 500;

/** Collects the matches of one page, which starts after a position. */
class GrepPage {
  readonly #lines: GrepLine[] = [];
  readonly #limit: number;
  readonly #maxBytes: number;
  readonly #after: GrepPosition | undefined;
  #matches = 0;
  #bytes = 0;

  constructor(limit: number, maxBytes: number, after: GrepPosition | undefined) {
    this.#limit = limit;
    this.#maxBytes = maxBytes;
    this.#after = after;
  }

  get matches(): number {
    return this.#matches;
  }

  /** Whether more matches were found than fit on the page. */
  get isFull(): boolean {
    return this.#matches > this.#limit || this.#bytes > this.#maxBytes;
  }

  add(line: GrepLine): void {
    if (this.isFull || !isAfter(line, this.#after)) return;
    const text = line.text.replace(/\r$/, '').slice(0, MAX_TEXT);
    this.#lines.push({ ...line, text });
    const { path, ...shown } = { ...line, text };
    this.#bytes += Buffer.byteLength(JSON.stringify(path === this.#lines.at(-2)?.path ? shown : { path, lines: [shown] }));
    if (line.column !== undefined) this.#matches += 1;
  }

  /** Returns the lines of the page and, if more matches exist, the position after which the next page starts. */
  page(contextLines: number): { readonly lines: readonly GrepLine[]; readonly next?: GrepPosition } {
    const matching = this.#lines.filter(({ column }) => column !== undefined);
    // The last match found belongs to the next page, unless it is the only match.
    const last = matching[Math.max(matching.length - 2, 0)];
    if (!this.isFull || last === undefined) return { lines: this.#lines };
    const lines = this.#lines.filter((line) => {
      const end = line.column === undefined ? last.line + contextLines : last.line;
      return line.path === last.path ? line.line <= end : isAfter(last, line);
    });
    return { lines, next: { path: last.path, line: last.line } };
  }
}

/** Whether a line comes after another line in the output. Git lists files in the byte order of their paths. */
function isAfter(one: GrepPosition, other: GrepPosition | undefined): boolean {
  if (other === undefined) return true;
  const order = Buffer.compare(encodePath(one.path), encodePath(other.path));
  return order === 0 ? one.line > other.line : order > 0;
}

/** The last arguments of a command, which limit the command to some files, and the environment that these arguments require. */
interface Pathspecs {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Builds pathspecs for files that lie at or below one of the paths and match one of the patterns. A pattern without a slash
 * matches at any depth.
 *
 * @throws ToolError PATH_OUTSIDE_ROOTS, INVALID_PATH
 */
function buildPathspecs(repository: Repository, paths: readonly string[] = [], globs: readonly string[] = []): Pathspecs {
  const inside = resolvePaths(repository, paths);
  if (globs.length === 0) return { args: ['--', ...inside], env: {} };
  const below = inside.length === 0 || inside.includes('.') ? [''] : inside.map((path) => `${escapeGlob(toLatin1(path))}/`);
  const patterns = globs.map((glob) => matchAnyDepth(toLatin1(resolvePath(repository, glob))));
  // The explicit prefix keeps git from interpreting magic at the start of a pattern.
  const specs = below
    .flatMap((path) => patterns.map((pattern) => `:(top,glob)${path}${pattern}`))
    .map((spec) => decodePath(Buffer.from(spec, 'latin1')));
  return { args: ['--', ...specs], env: { GIT_LITERAL_PATHSPECS: '0' } };
}

/** Converts a path to Latin-1, so that parts can be joined before the result is decoded as a whole. */
function toLatin1(path: string): string {
  return encodePath(path).toString('latin1');
}

function matchAnyDepth(pattern: string): string {
  return pattern.includes('/') ? pattern : `**/${pattern}`;
}

function escapeGlob(path: string): string {
  return path.replaceAll(/[*?[\]\\]/g, String.raw`\$&`);
}
