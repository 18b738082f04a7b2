import { lstat } from 'node:fs/promises';

import { Field } from '@org/mcp-decorators';
import { ArrayMaxSize, ArrayMinSize, IsBoolean, IsString, ValidateNested } from 'class-validator';

import { DIFF_FLAGS } from '../repository/diff.ts';
import { decodeList, records } from '../repository/parse/fields.ts';
import { bytesOfPath, pathList, spellPath } from '../repository/path-bytes.ts';
import { onDisk, pathsInside } from '../repository/paths.ts';
import type { Repository } from '../repository/repository.ts';
import { RepositoryInput } from './repository-input.ts';

export class GitAddInput extends RepositoryInput {
  @Field('Files or directories, by name: patterns are not expanded; "." is everything')
  @IsString({ each: true })
  @ArrayMinSize(1)
  @ArrayMaxSize(1000)
  files!: string[];
}

export class SkippedFile {
  @IsString()
  path!: string;

  @IsString()
  reason!: string;
}

/** What the next commit would contain. */
export class StagedFiles {
  @Field('Everything that is staged by now')
  @IsString({ each: true })
  staged!: string[];

  @Field('Given, and left as they were', { type: () => SkippedFile })
  @ValidateNested({ each: true })
  skipped!: SkippedFile[];

  @IsBoolean()
  truncated!: boolean;
}

/**
 * Stages files as they are in the work tree, deleted ones too; ignored ones and repositories of their own are skipped.
 *
 * @throws ToolError PATH_NOT_FOUND, PATH_OUTSIDE_ROOTS, INVALID_PATH, LOCKED
 */
export async function gitAdd(repository: Repository, { files }: GitAddInput): Promise<StagedFiles> {
  const paths = pathsInside(repository, files);
  const ignored = await ignoredAmong(repository, paths);
  const kept = paths.filter((each) => !ignored.has(each));
  const found = kept.length === 0 ? [] : await changedAmong(repository, kept);
  const nested = found.filter((each) => each.endsWith('/'));
  await stage(
    repository,
    found.filter((each) => !each.endsWith('/')),
  );
  const { stdout } = await repository.read(['diff', ...DIFF_FLAGS, '--cached', '--name-status', '--no-renames', '-z']);
  const staged = records(decodeList(stdout), 2).map(([, name = '']) => name);
  const { maxEntries } = repository.limits;
  const skipped = [
    ...[...ignored].map((each) => ({ path: each, reason: 'ignored' })),
    ...nested.map((each) => ({ path: each, reason: 'a repository' })),
  ];
  return {
    staged: staged.slice(0, maxEntries),
    skipped: skipped.slice(0, maxEntries),
    truncated: staged.length > maxEntries || skipped.length > maxEntries,
  };
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
async function changedAmong(repository: Repository, paths: readonly string[]): Promise<readonly string[]> {
  const list = ['ls-files', '-z', '--others', '--exclude-standard', '--deduplicate'];
  const [{ stdout }] = await Promise.all([
    repository.read([...list, '--modified', '--deleted', '--', ...paths]),
    // A path is wrong only if it matches nothing at all, changed or not.
    repository.read([...list, '--cached', '--error-unmatch', '--', ...paths]),
  ]);
  return decodeList(stdout);
}

/** Not by `git add`: where there is a submodule it starts another git in it, and nobody looked at the configuration there. */
async function stage(repository: Repository, files: readonly string[]): Promise<void> {
  const replaced = await replacedByDirectories(repository, files);
  await updateIndex(repository, ['--force-remove'], [...replaced]);
  const others = files.filter((file) => !replaced.has(file));
  await updateIndex(repository, ['--add', '--remove', '--replace'], others);
}

async function updateIndex(repository: Repository, flags: readonly string[], files: readonly string[]): Promise<void> {
  if (files.length === 0) return;
  await repository.write(['update-index', ...flags, '-z', '--stdin'], { input: pathList(files) });
}

/** Files whose place a directory has taken, other than that of a submodule. */
async function replacedByDirectories(repository: Repository, files: readonly string[]): Promise<ReadonlySet<string>> {
  const replaced = new Set<string>();
  for (const file of files) {
    const facts = await lstat(onDisk(repository, file)).catch(() => undefined);
    if (facts?.isDirectory() !== true) continue;
    const inside = await lstat(Buffer.concat([onDisk(repository, file), Buffer.from('/.git')])).catch(() => undefined);
    if (inside === undefined) replaced.add(file);
  }
  return replaced;
}
