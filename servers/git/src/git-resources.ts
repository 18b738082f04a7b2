import { Complete, RequestContext, Resource, type Candidates } from '@org/mcp-decorators';

import { RemoteTools } from './remote-tools.ts';
import type { Repository } from './repository/repository.ts';
import {
  completing,
  conflictCandidates,
  cursorCandidates,
  pathCandidates,
  revisionCandidates,
} from './resources/complete-names.ts';
import { answer, type Answer, type Contents } from './resources/contents.ts';
import { readBlobResource } from './resources/read-blob-resource.ts';
import { readCommit } from './resources/read-commit.ts';
import { readConflict } from './resources/read-conflict.ts';
import { DIFF, readCommitsDiff, readStagedDiff, readUnstagedDiff } from './resources/read-diff.ts';
import { readHead } from './resources/read-head.ts';
import { readLog } from './resources/read-log.ts';
import { readRefs } from './resources/read-refs.ts';
import { readStatus } from './resources/read-status.ts';
import { readTree } from './resources/read-tree.ts';
import {
  BlobUri,
  CommitUri,
  ConflictUri,
  DiffUri,
  LogUri,
  RepositoryUri,
  revisionsOf,
  STAGES,
  type NamingUri,
} from './resources/uris.ts';

const STATUS = 'git://{repo}/status';
const HEAD = 'git://{repo}/head';
const REFS = 'git://{repo}/refs';
const LOG = 'git://{repo}/log{?rev,cursor}';
const COMMIT = 'git://{repo}/commit/{rev}';
const TREE = 'git://{repo}/tree/{rev}/{+path}';
const BLOB = 'git://{repo}/blob/{rev}/{+path}';
const STAGED = 'git://{repo}/diff/staged';
const UNSTAGED = 'git://{repo}/diff/unstaged';
const COMMITS = 'git://{repo}/diff/{from}..{to}';
const CONFLICT = 'git://{repo}/conflict/{stage}/{+path}';

const JSON_TEXT = 'application/json';

type Given = Readonly<Record<string, string>>;

/** What a repository holds, by URIs that can be completed and subscribed to. */
export abstract class GitResources extends RemoteTools {
  @Resource({ uriTemplate: STATUS, title: 'Status', description: 'Branch, upstream and changed files', mimeType: JSON_TEXT })
  async status(uri: RepositoryUri, context: RequestContext): Promise<Answer> {
    return this.#answer(uri, context, readStatus);
  }

  @Resource({ uriTemplate: HEAD, title: 'HEAD', description: 'The current branch and its commit', mimeType: JSON_TEXT })
  async head(uri: RepositoryUri, context: RequestContext): Promise<Answer> {
    return this.#answer(uri, context, readHead);
  }

  @Resource({ uriTemplate: REFS, title: 'Branches and tags', description: 'The objects they name', mimeType: JSON_TEXT })
  async refs(uri: RepositoryUri, context: RequestContext): Promise<Answer> {
    return this.#answer(uri, context, readRefs);
  }

  @Resource({
    uriTemplate: LOG,
    title: 'Log',
    description: '50 commits, newest first, and the cursor of the next',
    mimeType: JSON_TEXT,
  })
  async log(uri: LogUri, context: RequestContext): Promise<Answer> {
    return this.#answer(uri, context, (repository) => readLog(repository, uri));
  }

  @Resource({ uriTemplate: COMMIT, title: 'Commit', description: 'Message, author and diff', mimeType: 'text/plain' })
  async commit(uri: CommitUri, context: RequestContext): Promise<Answer> {
    return this.#answer(uri, context, (repository) => readCommit(repository, uri));
  }

  @Resource({ uriTemplate: TREE, title: 'Directory in a commit', description: 'What it holds', mimeType: JSON_TEXT })
  async tree(uri: BlobUri, context: RequestContext): Promise<Answer> {
    return this.#answer(uri, context, (repository) => readTree(repository, uri));
  }

  @Resource({ uriTemplate: BLOB, title: 'File in a commit', description: 'A file as a branch, tag or commit has it' })
  async blob(uri: BlobUri, context: RequestContext): Promise<Answer> {
    return this.#answer(uri, context, (repository) => readBlobResource(repository, uri));
  }

  @Resource({ uriTemplate: STAGED, title: 'Staged changes', description: 'Diff of HEAD and the index', mimeType: DIFF })
  async diffStaged(uri: RepositoryUri, context: RequestContext): Promise<Answer> {
    return this.#answer(uri, context, readStagedDiff);
  }

  @Resource({
    uriTemplate: UNSTAGED,
    title: 'Unstaged changes',
    description: 'Diff of the index and the work tree',
    mimeType: DIFF,
  })
  async diffUnstaged(uri: RepositoryUri, context: RequestContext): Promise<Answer> {
    return this.#answer(uri, context, readUnstagedDiff);
  }

  @Resource({ uriTemplate: COMMITS, title: 'Diff', description: 'What differs between two commits', mimeType: DIFF })
  async diff(uri: DiffUri, context: RequestContext): Promise<Answer> {
    return this.#answer(uri, context, (repository) => readCommitsDiff(repository, uri));
  }

  @Resource({ uriTemplate: CONFLICT, title: 'Side of a conflict', description: 'A file with a conflict as one side has it' })
  async conflict(uri: ConflictUri, context: RequestContext): Promise<Answer> {
    return this.#answer(uri, context, (repository) => readConflict(repository, uri));
  }

  @Complete({ resource: STATUS, argument: 'repo' })
  @Complete({ resource: HEAD, argument: 'repo' })
  @Complete({ resource: REFS, argument: 'repo' })
  @Complete({ resource: LOG, argument: 'repo' })
  @Complete({ resource: COMMIT, argument: 'repo' })
  @Complete({ resource: TREE, argument: 'repo' })
  @Complete({ resource: BLOB, argument: 'repo' })
  @Complete({ resource: STAGED, argument: 'repo' })
  @Complete({ resource: UNSTAGED, argument: 'repo' })
  @Complete({ resource: COMMITS, argument: 'repo' })
  @Complete({ resource: CONFLICT, argument: 'repo' })
  async completeRepo(_: string, __: Given, context: RequestContext): Promise<Candidates> {
    return (await this.repositories.all(await this.scopeOf(context))).map(({ id }) => id);
  }

  @Complete({ resource: LOG, argument: 'rev' })
  @Complete({ resource: COMMIT, argument: 'rev' })
  @Complete({ resource: TREE, argument: 'rev' })
  @Complete({ resource: BLOB, argument: 'rev' })
  @Complete({ resource: COMMITS, argument: 'from' })
  @Complete({ resource: COMMITS, argument: 'to' })
  async completeRev(_: string, given: Given, context: RequestContext): Promise<Candidates> {
    return this.#complete(given, context, revisionCandidates);
  }

  @Complete({ resource: BLOB, argument: 'path' })
  async completeFile(typed: string, given: Given, context: RequestContext): Promise<Candidates> {
    const wanted = { revision: given['rev'] ?? 'HEAD', typed, kind: 'file' } as const;
    return this.#complete(given, context, (repository) => pathCandidates(repository, wanted));
  }

  @Complete({ resource: TREE, argument: 'path' })
  async completeDirectory(typed: string, given: Given, context: RequestContext): Promise<Candidates> {
    const wanted = { revision: given['rev'] ?? 'HEAD', typed, kind: 'directory' } as const;
    return this.#complete(given, context, (repository) => pathCandidates(repository, wanted));
  }

  @Complete({ resource: CONFLICT, argument: 'path' })
  async completeConflict(_: string, given: Given, context: RequestContext): Promise<Candidates> {
    return this.#complete(given, context, conflictCandidates);
  }

  @Complete({ resource: CONFLICT, argument: 'stage' })
  completeStage(): Candidates {
    return STAGES;
  }

  @Complete({ resource: LOG, argument: 'cursor' })
  async completeCursor(_: string, given: Given, context: RequestContext): Promise<Candidates> {
    return this.#complete(given, context, (repository) => cursorCandidates(repository, given['rev']));
  }

  async #answer(uri: NamingUri, context: RequestContext, read: (repository: Repository) => Promise<Contents>): Promise<Answer> {
    const repository = await this.repositories.byId(uri.repo, await this.scopeOf(context));
    return answer(() => read(repository), revisionsOf(uri));
  }

  async #complete(
    { repo = '' }: Given,
    context: RequestContext,
    candidates: (repository: Repository) => Promise<Candidates>,
  ): Promise<Candidates> {
    return completing(async () => candidates(await this.repositories.byId(repo, await this.scopeOf(context))));
  }
}
