import { isUtf8 } from 'node:buffer';
import { lstat } from 'node:fs/promises';

import { ToolError, escapeInvisible } from '@org/mcp-decorators';

import { quoteInput } from '../../text/visible.ts';
import { decodeName, decodeOutput, splitTextFields } from '../parse/fields.ts';
import { encodePath, listParentDirectories } from '../parse/path-bytes.ts';
import type { GitOutput } from '../process/run-process.ts';
import type { Repository } from '../repository.ts';
import { requireNoFilesBehindLinks } from './behind-links.ts';
import { resolvePath, toDiskPath } from './paths.ts';
import { hasRepository } from './submodules.ts';

/** A file that a patch changes. */
export interface PatchedFile {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
}

/** Maximum number of errors of git in a message. */
const MAX_ERRORS = 5;

/**
 * Matches header lines of links and submodules. A line of a hunk does not match, because it begins with a space, `+`, `-` or `\`.
 */
const SPECIAL_MODE = /^(?:(?:new file|deleted file|new|old) mode 1[26]0000|index [0-9a-f]+\.\.[0-9a-f]+ 1[26]0000)\s*$/m;
const BINARY = /^GIT binary patch\s*$/m;

/**
 * Lists the files that a patch changes, and requires that the patch reads and writes only regular files of the work tree. Git itself
 * reads any file that a patch names as the source of a copy, and replaces the target of a link.
 *
 * @throws ToolError INVALID_ARGUMENTS, INVALID_PATH, PATH_OUTSIDE_ROOTS
 */
export async function readPatchedFiles(
  repository: Repository,
  patch: Buffer,
  isReversed: boolean,
): Promise<readonly PatchedFile[]> {
  const text = patch.toString('latin1');
  // A compressed patch of a few bytes can grow to gigabytes in memory, so binary patches are rejected.
  if (text.includes('\0') || BINARY.test(text))
    throw new ToolError('INVALID_ARGUMENTS', 'the patch contains binary changes', {
      hint: 'remove the binary files from the patch',
    });
  if (SPECIAL_MODE.test(text))
    throw new ToolError('INVALID_ARGUMENTS', 'the patch changes a symbolic link or a submodule', {
      hint: 'remove the link or the submodule from the patch',
    });
  // Git lists one name of a file that is renamed or copied; in reverse, git lists the other name.
  const forward = await countLines(repository, patch, []);
  const backward = await countLines(repository, patch, ['--reverse']);
  const paths = [...new Set([...forward, ...backward].map(({ path }) => path))];
  for (const path of paths) await requirePatchable(repository, path);
  await requireNoFilesBehindLinks(repository, paths);
  await requireNoSpecialEntries(repository, paths);
  return isReversed ? backward : forward;
}

async function countLines(repository: Repository, patch: Buffer, flags: readonly string[]): Promise<readonly PatchedFile[]> {
  const output = await repository.read(['apply', '--numstat', '-z', ...flags, '-'], { input: patch, codes: [0, 1, 128] });
  const { text, name } = decodeOutput(output.stdout);
  const files = splitTextFields(text).map((record) => {
    const [added = '', removed = '', ...parts] = record.split('\t');
    return { path: name(parts.join('\t')), added: Number(added), removed: Number(removed) };
  });
  if (output.code === 0 && files.length > 0) return files;
  throw new ToolError('INVALID_ARGUMENTS', `the patch cannot be parsed: ${listErrors(output) || 'it changes no file'}`, {
    hint: 'write the patch as git_diff does; the numbers after @@ must match the lines of the hunk',
  });
}

/** Joins the errors that git reported. */
export function listErrors({ stderr }: GitOutput): string {
  const errors = stderr.split('\n').flatMap((line) => /^(?:error|fatal): (.{1,400})/.exec(line)?.[1] ?? []);
  return errors.slice(0, MAX_ERRORS).map(escapeInvisible).join('; ');
}

/** Matches `.git`, and the names that file systems of other operating systems treat as `.git`. */
const GIT_DIRECTORY = /^(?:\.git|git~\d+)[. ]*(?::.*)?$/i;

async function requirePatchable(repository: Repository, path: string): Promise<void> {
  if (!isUtf8(encodePath(path)))
    throw new ToolError('INVALID_PATH', `the name ${quoteInput(path)} is not UTF-8; patches of such files are not applied`);
  if (resolvePath(repository, path) !== path || path === '.')
    throw new ToolError('INVALID_PATH', `${quoteInput(path)} is not a path relative to the top of the repository`);
  if (path.split(/[/\\]/).some((name) => GIT_DIRECTORY.test(name)))
    throw new ToolError('INVALID_PATH', `${quoteInput(path)} is inside a git directory`);
  for (const directory of listParentDirectories(path))
    if (await hasRepository(repository, directory))
      throw new ToolError('INVALID_PATH', `${quoteInput(path)} is inside another repository`);
  const facts = await lstat(toDiskPath(repository, path)).catch(() => undefined);
  if (facts !== undefined && !facts.isFile()) throw new ToolError('INVALID_PATH', `${quoteInput(path)} is not a regular file`);
}

/** Rejects links and submodules in the index, because git reads a file that is missing in the work tree from the index. */
async function requireNoSpecialEntries(repository: Repository, paths: readonly string[]): Promise<void> {
  const { stdout } = await repository.read(['ls-files', '--stage', '-z', '--', ...paths]);
  const special = splitTextFields(stdout.toString('latin1')).find((record) => /^1[26]0000 /.test(record));
  if (special !== undefined)
    throw new ToolError(
      'INVALID_PATH',
      `${quoteInput(decodeName(special.slice(special.indexOf('\t') + 1)))} is not a regular file`,
    );
}
