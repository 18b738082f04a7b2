import { Flag, Integer, OneOf, Text, TextList } from '@org/mcp-decorators';
import { firstThatFit } from '@org/mcp-host';

import { bytesOfPath, spellPath } from '../repository/path-bytes.ts';
import { pathsInside } from '../repository/paths.ts';
import type { Repository } from '../repository/repository.ts';
import { resolveCommit } from '../repository/revision.ts';
import { requireWorkTree } from '../repository/work-tree.ts';
import { RepositoryInput } from './repository-input.ts';

const KINDS = ['tracked', 'untracked', 'ignored', 'conflicts'] as const;

type Kind = (typeof KINDS)[number];

export class GitLsFilesInput extends RepositoryInput {
  @OneOf(KINDS) kind: Kind = 'tracked';
  @Text('Branch, tag or commit whose files are listed, instead of the work tree', { optional: true }) revision?: string;
  @TextList('Only these files or directories', { optional: true, maxItems: 1000 }) paths?: string[];
  @Integer({ min: 1 }) limit = 1000;
  @Text('Previous next_cursor', { optional: true }) cursor?: string;
}

/** Names of files. */
export class FileList {
  @TextList('Relative to the top, by name') files!: string[];
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
 * Files of the index, the work tree or a commit, at most `limit`, `maxEntries` and `maxBytes` of them: git is ended there.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO, PATH_OUTSIDE_ROOTS, NO_WORK_TREE
 */
export async function gitLsFiles(repository: Repository, input: GitLsFilesInput): Promise<FileList> {
  const limit = Math.min(input.limit, repository.limits.maxEntries);
  const names = new Names({ limit, maxBytes: repository.limits.maxBytes }, input);
  await repository.read(await commandOf(repository, input), {
    onOutput: (chunk) => names.feed(chunk),
    isEnough: () => names.isFull,
  });
  return names.page();
}

async function commandOf(repository: Repository, { kind, revision, paths = [] }: GitLsFilesInput): Promise<readonly string[]> {
  const inside = pathsInside(repository, paths);
  if (revision === undefined) {
    requireWorkTree(repository);
    return ['ls-files', '-z', ...COMMANDS[kind], '--', ...inside];
  }
  const oid = await resolveCommit(repository, revision);
  return ['ls-tree', '-z', '-r', '--name-only', '--full-tree', oid, '--', ...(inside.includes('.') ? [] : inside)];
}

const TAB = 0x09;

/** Names that end with NUL, in the order of their bytes, after a name. */
class Names {
  readonly #most: { readonly limit: number; readonly maxBytes: number };
  readonly #after: Buffer | undefined;
  /** Each stage of a file is an entry, with what else is known of it before its name. */
  readonly #hasStages: boolean;
  readonly #names = new Set<string>();
  #bytes = 0;
  #rest: Buffer = Buffer.alloc(0);

  constructor(most: { readonly limit: number; readonly maxBytes: number }, { cursor, kind, revision }: GitLsFilesInput) {
    this.#most = most;
    this.#after = cursor === undefined ? undefined : bytesOfPath(cursor);
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
    const files = firstThatFit([...this.#names].slice(0, this.#most.limit), this.#most.maxBytes);
    const last = files.at(-1);
    return { files, truncated: this.isFull, ...(this.isFull && last !== undefined && { next_cursor: last }) };
  }

  #add(entry: Buffer): void {
    const name = this.#hasStages ? entry.subarray(entry.indexOf(TAB) + 1) : entry;
    const isAfter = this.#after === undefined || Buffer.compare(name, this.#after) > 0;
    if (!isAfter || this.isFull) return;
    const { size } = this.#names;
    const spelt = spellPath(name);
    this.#names.add(spelt);
    if (this.#names.size > size) this.#bytes += Buffer.byteLength(JSON.stringify(spelt)) + 1;
  }
}
