import { Flag, Integer, OneOf, openCursor, Result, sealCursor, Text, TextList, type RequestContext } from '@org/mcp-decorators';
import { takeFittingItems } from '@org/mcp-host';

import { decodePath, encodePath, formatPath } from '../../repository/parse/path-bytes.ts';
import { resolveCommit } from '../../repository/refs/revision.ts';
import type { Repository } from '../../repository/repository.ts';
import { resolvePaths, requireWorkTree } from '../../repository/work-tree/paths.ts';
import { RepositoryInput } from '../inputs/repository-input.ts';
import { formatMore } from '../results/result-text.ts';

const KINDS = ['tracked', 'untracked', 'ignored', 'conflicts'] as const;

type Kind = (typeof KINDS)[number];

export class GitLsFilesInput extends RepositoryInput {
  @OneOf(KINDS, 'Default: tracked') kind: Kind = 'tracked';
  @Text('List the files of this branch, tag or commit; kind has no effect', { optional: true }) revision?: string;
  @TextList('Restrict to these files or directories', { optional: true, maxItems: 1000 }) paths?: string[];
  @Integer('Maximum number of files', { min: 1 }) limit = 1000;
  @Text('next_cursor of the previous page', { optional: true }) cursor?: string;
}

export class FileList {
  @TextList('Paths relative to the top of the repository, sorted') files!: string[];
  @Flag() truncated!: boolean;
  @Text({ optional: true }) next_cursor?: string;
}

const COMMANDS: Readonly<Record<Kind, readonly string[]>> = {
  tracked: ['--cached'],
  untracked: ['--others', '--exclude-standard'],
  ignored: ['--others', '--ignored', '--exclude-standard'],
  conflicts: ['--unmerged'],
};

/**
 * Lists files of the index, the work tree or a commit. Stops git at `limit` or `maxEntries` files, or `maxBytes` bytes.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO, PATH_OUTSIDE_ROOTS, NO_WORK_TREE
 */
export async function gitLsFiles(repository: Repository, input: GitLsFilesInput, context: RequestContext): Promise<Result> {
  const list = await listFiles(repository, await openCursor(input, context));
  return formatFiles(await sealCursor(list, context));
}

async function listFiles(repository: Repository, input: GitLsFilesInput): Promise<FileList> {
  const limit = Math.min(input.limit, repository.limits.maxEntries);
  const names = new NamePage({ limit, maxBytes: repository.limits.maxBytes }, input);
  await repository.read(await buildCommand(repository, input), {
    onOutput: (chunk) => names.feed(chunk),
    isEnough: () => names.isFull,
  });
  return names.page();
}

async function buildCommand(repository: Repository, { kind, revision, paths = [] }: GitLsFilesInput): Promise<readonly string[]> {
  const inside = resolvePaths(repository, paths);
  if (revision === undefined) {
    requireWorkTree(repository);
    return ['ls-files', '-z', ...COMMANDS[kind], '--', ...inside];
  }
  const oid = await resolveCommit(repository, revision);
  return ['ls-tree', '-z', '-r', '--name-only', '--full-tree', oid, '--', ...(inside.includes('.') ? [] : inside)];
}

const TAB = 0x09;

/** Collects NUL-terminated names that follow a cursor in byte order, until a limit is reached. */
class NamePage {
  readonly #most: { readonly limit: number; readonly maxBytes: number };
  readonly #after: Buffer | undefined;
  /** Whether each entry is a stage of a file in conflict, in which mode, object name and stage precede the name. */
  readonly #hasStages: boolean;
  readonly #names = new Set<string>();
  #bytes = 0;
  #rest: Buffer = Buffer.alloc(0);

  constructor(most: { readonly limit: number; readonly maxBytes: number }, { cursor, kind, revision }: GitLsFilesInput) {
    this.#most = most;
    this.#after = cursor === undefined ? undefined : encodePath(cursor);
    this.#hasStages = kind === 'conflicts' && revision === undefined;
  }

  get isFull(): boolean {
    return this.#names.size > this.#most.limit || this.#bytes > this.#most.maxBytes;
  }

  feed(chunk: Buffer): void {
    const bytes = Buffer.concat([this.#rest, chunk]);
    let start = 0;
    for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0, start)) {
      this.#add(bytes.subarray(start, end));
      start = end + 1;
    }
    this.#rest = bytes.subarray(start);
  }

  page(): FileList {
    const files = takeFittingItems([...this.#names].slice(0, this.#most.limit), this.#most.maxBytes);
    const last = files.at(-1);
    return { files, truncated: this.isFull, ...(this.isFull && last !== undefined && { next_cursor: last }) };
  }

  #add(entry: Buffer): void {
    const name = this.#hasStages ? entry.subarray(entry.indexOf(TAB) + 1) : entry;
    const isAfter = this.#after === undefined || Buffer.compare(name, this.#after) > 0;
    if (!isAfter || this.isFull) return;
    const { size } = this.#names;
    const spelt = decodePath(name);
    this.#names.add(spelt);
    if (this.#names.size > size) this.#bytes += Buffer.byteLength(JSON.stringify(spelt)) + 1;
  }
}

function formatFiles(list: FileList): Result {
  const lines = list.files.map(formatPath);
  if (list.truncated) lines.push(formatMore(list.next_cursor));
  // A single name such as 42 would look like JSON, so a title precedes it.
  const [text = ''] = Result.text(lines.join('\n'), { title: 'Files' }).texts;
  return Result.of(list, lines.length === 0 ? 'No files found' : text);
}
