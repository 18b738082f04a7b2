import { openCursor, RequestContext, sealCursor, Tool, type Result } from '@org/mcp-decorators';
import { LARGE_RESULTS } from '@org/mcp-host';

import { READS } from './hints.ts';
import { gitCatFile, GitCatFileInput } from './operations/git-cat-file.ts';
import { Comparison, gitCompare, GitCompareInput } from './operations/git-compare.ts';
import { FoundLines, gitGrep, GitGrepInput } from './operations/git-grep.ts';
import { FileList, gitLsFiles, GitLsFilesInput } from './operations/git-ls-files.ts';
import { gitReflog, GitReflogInput, ReflogPage } from './operations/git-reflog.ts';
import { gitRevParse, GitRevParseInput, ResolvedRevision } from './operations/git-rev-parse.ts';
import { ReadingTools } from './reading-tools.ts';
import {
  comparisonResult,
  filesResult,
  grepResult,
  objectResult,
  reflogResult,
  revisionResult,
} from './results/history-results.ts';

/** Tools that look through history and the objects it is made of. */
export abstract class HistoryTools extends ReadingTools {
  @Tool({
    title: 'Search in files',
    description: 'Lines of tracked files, or of a commit, that contain a text',
    _meta: LARGE_RESULTS,
    output: FoundLines,
    annotations: READS,
    sets: ['read', 'history'],
  })
  async gitGrep(input: GitGrepInput, context: RequestContext): Promise<Result> {
    const repository = await this.repositoryFor(input, context);
    const found = await gitGrep(repository, await openCursor(input, context), context);
    return grepResult(await sealCursor(found, context));
  }

  @Tool({
    title: 'Reflog',
    description: 'What HEAD or a branch named before, to find what was lost',
    output: ReflogPage,
    annotations: READS,
    sets: ['read', 'history'],
  })
  async gitReflog(input: GitReflogInput, context: RequestContext): Promise<Result> {
    return reflogResult(await gitReflog(await this.repositoryFor(input, context), input));
  }

  @Tool({
    title: 'List files',
    description: 'Files that are tracked, untracked, ignored, in conflict, or of a commit',
    _meta: LARGE_RESULTS,
    output: FileList,
    annotations: READS,
    sets: ['read', 'history'],
  })
  async gitLsFiles(input: GitLsFilesInput, context: RequestContext): Promise<Result> {
    const repository = await this.repositoryFor(input, context);
    const list = await gitLsFiles(repository, await openCursor(input, context));
    return filesResult(await sealCursor(list, context));
  }

  @Tool({
    title: 'Object',
    description: 'Content of any object, or a part of it',
    _meta: LARGE_RESULTS,
    annotations: READS,
    sets: ['read', 'history'],
  })
  async gitCatFile(input: GitCatFileInput, context: RequestContext): Promise<Result> {
    return objectResult(await gitCatFile(await this.repositoryFor(input, context), input));
  }

  @Tool({
    title: 'Resolve revision',
    description: 'What a revision names',
    output: ResolvedRevision,
    annotations: READS,
    sets: ['read', 'history'],
  })
  async gitRevParse(input: GitRevParseInput, context: RequestContext): Promise<Result> {
    return revisionResult(await gitRevParse(await this.repositoryFor(input, context), input));
  }

  @Tool({
    title: 'Compare',
    description: 'How far two branches or commits are apart, and which commits only one has',
    output: Comparison,
    annotations: READS,
    sets: ['read', 'history'],
  })
  async gitCompare(input: GitCompareInput, context: RequestContext): Promise<Result> {
    return comparisonResult(await gitCompare(await this.repositoryFor(input, context), input));
  }
}
