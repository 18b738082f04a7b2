import { Flag, ListOf, Text, TextList, ToolError } from '@org/mcp-decorators';
import { firstThatFit } from '@org/mcp-host';

import { DIFF_FLAGS } from '../repository/diff.ts';
import { decodeList, records } from '../repository/parse/fields.ts';
import { bytesOfPath, namesDirectory, pathList, spellPath } from '../repository/path-bytes.ts';
import { pathsInside } from '../repository/paths.ts';
import type { Repository } from '../repository/repository.ts';
import { stage } from '../repository/stage.ts';
import { requireWorkTree } from '../repository/work-tree.ts';
import { RepositoryInput } from './repository-input.ts';

export class GitAddInput extends RepositoryInput {
  @TextList('Files or directories, by name: patterns are not expanded; "." is everything', { optional: true, maxItems: 1000 })
  files?: string[];

  @Flag('Every change there is, new files too') all = false;
  @Flag('Only files that are tracked already') update = false;
}

export class SkippedFile {
  @Text() path!: string;
  @Text() reason!: string;
}

/** What the next commit would contain. */
export class StagedFiles {
  @TextList('Everything that is staged by now') staged!: string[];
  @ListOf(() => SkippedFile, 'Given, and left as they were') skipped!: SkippedFile[];
  @Flag() truncated!: boolean;
}

/**
 * Stages files as they are in the work tree, deleted ones too; ignored ones and repositories of their own are skipped.
 *
 * @throws ToolError PATH_NOT_FOUND, PATH_OUTSIDE_ROOTS, INVALID_PATH, INVALID_ARGUMENTS, NO_WORK_TREE, LOCKED
 */
export async function gitAdd(repository: Repository, input: GitAddInput): Promise<StagedFiles> {
  requireWorkTree(repository);
  const paths = pathsInside(repository, filesOf(input));
  return repository.alone(async () => {
    const ignored = input.update ? new Set<string>() : await ignoredAmong(repository, paths);
    const kept = paths.filter((each) => !ignored.has(each));
    const found = kept.length === 0 ? [] : await changedAmong(repository, kept, input.update);
    const nested = found.filter((each) => namesDirectory(each));
    const changed = found.filter((each) => !namesDirectory(each));
    const left = await stage(repository, changed);
    return outcomeOf(repository, [
      ...[...ignored].map((each) => ({ path: each, reason: 'ignored' })),
      ...nested.map((each) => ({ path: each, reason: 'a repository' })),
      ...left.map((each) => ({ path: each, reason: 'a submodule whose commit is not inside the allowed directories' })),
    ]);
  });
}

function filesOf({ files, all, update }: GitAddInput): readonly string[] {
  if (all && (update || files !== undefined))
    throw new ToolError('INVALID_ARGUMENTS', '`all` is everything: it goes with neither `files` nor `update`');
  if (files !== undefined && files.length > 0) return files;
  if (all || update) return ['.'];
  throw new ToolError('INVALID_ARGUMENTS', 'nothing was named', { hint: 'name `files`, or say `all` or `update`' });
}

async function outcomeOf(repository: Repository, skipped: SkippedFile[]): Promise<StagedFiles> {
  const { stdout } = await repository.read(['diff', ...DIFF_FLAGS, '--cached', '--name-status', '--no-renames', '-z']);
  const staged = records(decodeList(stdout), 2).map(([, name = '']) => name);
  const { maxEntries, maxBytes } = repository.limits;
  const page = {
    staged: firstThatFit(staged.slice(0, maxEntries), maxBytes / 2),
    skipped: firstThatFit(skipped.slice(0, maxEntries), maxBytes / 2),
  };
  return { ...page, truncated: staged.length > page.staged.length || skipped.length > page.skipped.length };
}

/** git add refuses the whole call for one ignored file. */
async function ignoredAmong(repository: Repository, paths: readonly string[]): Promise<ReadonlySet<string>> {
  // This command knows no literal names; what begins with `./` is none of its patterns either.
  const input = Buffer.concat(paths.flatMap((each) => [Buffer.from('./'), pathList([each])]));
  const env = { GIT_LITERAL_PATHSPECS: '0' };
  const { stdout } = await repository.read(['check-ignore', '-z', '--stdin'], { input, env, codes: [0, 1] });
  return new Set(decodeList(stdout).map((each) => spellPath(bytesOfPath(each).subarray('./'.length))));
}

/** What differs from the index at or below the paths; a repository that is not a submodule ends with a slash. */
async function changedAmong(repository: Repository, paths: readonly string[], trackedOnly: boolean): Promise<readonly string[]> {
  const list = ['ls-files', '-z', '--deduplicate', ...(trackedOnly ? [] : ['--others', '--exclude-standard'])];
  const [{ stdout }] = await Promise.all([
    repository.read([...list, '--modified', '--deleted', '--', ...paths]),
    // A path is wrong only if it matches nothing at all, changed or not; everything may well be nothing.
    paths.includes('.') || repository.read([...list, '--cached', '--error-unmatch', '--', ...paths]),
  ]);
  return decodeList(stdout);
}
