import { Flag, ListOf, Result, Text, TextList, ToolError } from '@org/mcp-decorators';
import { takeFittingItems } from '@org/mcp-host';

import { DIFF_FLAGS } from '../../repository/content/diff-flags.ts';
import { describeMarkers, findLeftMarkers } from '../../repository/integrate/left-markers.ts';
import { decodeNames, groupFields } from '../../repository/parse/fields.ts';
import { decodePath, encodePath, encodePathList, endsWithSlash, formatPath } from '../../repository/parse/path-bytes.ts';
import type { Repository } from '../../repository/repository.ts';
import { resolvePaths, requireWorkTree } from '../../repository/work-tree/paths.ts';
import { stagePaths } from '../../repository/work-tree/stage-paths.ts';
import { RepositoryInput } from '../inputs/repository-input.ts';

export class GitAddInput extends RepositoryInput {
  @TextList('Files or directories; "." stages everything', { optional: true, maxItems: 1000 })
  files?: string[];

  @Flag('Stage all changes, including new files') all = false;
  @Flag('Stage only tracked files') update = false;
}

export class SkippedFile {
  @Text() path!: string;
  @Text() reason!: string;
}

/** All staged files, and the requested files that were not staged. */
export class StagedFiles {
  @TextList('All staged files') staged!: string[];
  @ListOf(() => SkippedFile, 'Files that were not staged') skipped!: SkippedFile[];
  @Flag() truncated!: boolean;
  @TextList({ optional: true }) markers?: string[];
}

/**
 * Stages files of the work tree, including deletions. Skips ignored files and nested repositories.
 *
 * @throws ToolError PATH_NOT_FOUND, PATH_OUTSIDE_ROOTS, INVALID_PATH, INVALID_ARGUMENTS, NO_WORK_TREE, LOCKED
 */
export async function gitAdd(repository: Repository, input: GitAddInput): Promise<Result> {
  requireWorkTree(repository);
  const paths = resolvePaths(repository, chooseFiles(input));
  const outcome = await repository.withWriteLock(async () => {
    const { found, ignored } = await findFiles(repository, paths, input.update);
    const nested = found.filter((each) => endsWithSlash(each));
    const changed = found.filter((each) => !endsWithSlash(each));
    const left = await stagePaths(repository, changed);
    return readOutcome(repository, [
      ...[...ignored].map((each) => ({ path: each, reason: 'ignored' })),
      ...nested.map((each) => ({ path: each, reason: 'nested repository' })),
      ...left.map((each) => ({ path: each, reason: 'submodule whose commit is outside the allowed directories' })),
    ]);
  });
  return formatStaged(outcome);
}

function chooseFiles({ files, all, update }: GitAddInput): readonly string[] {
  if (all && (update || files !== undefined))
    throw new ToolError('INVALID_ARGUMENTS', '`all` stages everything: omit `files` and `update`');
  if (files !== undefined && files.length > 0) return files;
  if (all || update) return ['.'];
  throw new ToolError('INVALID_ARGUMENTS', 'no files to stage were given', { hint: 'set `files`, `all` or `update`' });
}

async function readOutcome(repository: Repository, skipped: SkippedFile[]): Promise<StagedFiles> {
  const [{ stdout }, left] = await Promise.all([
    repository.read(['diff', ...DIFF_FLAGS, '--cached', '--name-status', '--no-renames', '-z']),
    findLeftMarkers(repository),
  ]);
  const staged = groupFields(decodeNames(stdout), 2).map(([, name = '']) => name);
  const { maxEntries, maxBytes } = repository.limits;
  const page = {
    staged: takeFittingItems(staged.slice(0, maxEntries), maxBytes / 2),
    skipped: takeFittingItems(skipped.slice(0, maxEntries), maxBytes / 4),
  };
  const markers = takeFittingItems(left.slice(0, maxEntries).map(describeMarkers), maxBytes / 4);
  return {
    ...page,
    ...(markers.length > 0 && { markers }),
    truncated: staged.length > page.staged.length || skipped.length > page.skipped.length || left.length > markers.length,
  };
}

/** The paths to stage. The path of a nested repository ends with a slash. */
interface FoundFiles {
  readonly found: readonly string[];
  /** Requested paths that are not staged, because they are ignored. */
  readonly ignored: ReadonlySet<string>;
}

/**
 * Finds the files at or below the paths that differ from the index. A path that is itself such a file is not examined further,
 * because each examination runs a command.
 *
 * @throws ToolError PATH_NOT_FOUND for a path that matches no file at all, changed or unchanged
 */
async function findFiles(repository: Repository, paths: readonly string[], trackedOnly: boolean): Promise<FoundFiles> {
  const found = await findChanged(repository, paths, trackedOnly);
  const exact = new Set(found);
  const others = paths.filter((each) => !exact.has(each));
  const ignored = trackedOnly || others.length === 0 ? new Set<string>() : await findIgnored(repository, others);
  const kept = others.filter((each) => !ignored.has(each));
  // `.` matches no file in an empty repository, but is valid.
  if (kept.length > 0 && !paths.includes('.'))
    await repository.read([...listCommand(trackedOnly), '--cached', '--error-unmatch', '--', ...kept]);
  const above = [...ignored].map((each) => `${each}/`);
  return { ignored, found: found.filter((each) => !above.some((directory) => each.startsWith(directory))) };
}

/** Finds the ignored paths. They are reported as skipped; otherwise, one ignored path would make the whole call fail. */
async function findIgnored(repository: Repository, paths: readonly string[]): Promise<ReadonlySet<string>> {
  // `git check-ignore` does not support literal pathspecs, but a path that starts with `./` is never a pattern.
  const input = Buffer.concat(paths.flatMap((each) => [Buffer.from('./'), encodePathList([each])]));
  const env = { GIT_LITERAL_PATHSPECS: '0' };
  const { stdout } = await repository.read(['check-ignore', '-z', '--stdin'], { input, env, codes: [0, 1] });
  return new Set(decodeNames(stdout).map((each) => decodePath(encodePath(each).subarray('./'.length))));
}

async function findChanged(repository: Repository, paths: readonly string[], trackedOnly: boolean): Promise<readonly string[]> {
  const { stdout } = await repository.read([...listCommand(trackedOnly), '--modified', '--deleted', '--', ...paths]);
  return decodeNames(stdout);
}

function listCommand(trackedOnly: boolean): readonly string[] {
  return ['ls-files', '-z', '--deduplicate', ...(trackedOnly ? [] : ['--others', '--exclude-standard'])];
}

function formatStaged(files: StagedFiles): Result {
  const lines = [
    ...files.staged.map((path) => `staged ${formatPath(path)}`),
    ...(files.truncated ? ['[Not all files are listed: git_diff_staged with mode names lists all staged files.]'] : []),
    ...(files.markers ?? []).map((file) => `conflict markers are still in ${file}: edit the file and stage it again`),
    ...files.skipped.map(({ path, reason }) => `skipped ${formatPath(path)} (${reason})`),
  ];
  return Result.of(files, lines.length === 0 ? 'Nothing is staged' : lines.join('\n'));
}
