import { Text, ToolError } from '@org/mcp-decorators';

import type { UnmergedFile } from '../../repository/parse/unmerged.ts';
import type { Repository } from '../../repository/repository.ts';
import { resolvePath } from '../../repository/work-tree/paths.ts';
import { formatCount } from '../../text/format.ts';
import { formatGitUri } from '../../text/git-uri.ts';
import { quoteInput } from '../../text/visible.ts';
import { RepositoryInput } from '../../tools/inputs/repository-input.ts';
import { readConflicts, readSide } from '../resources/read-conflict.ts';
import { readUnstagedDiff } from '../resources/read-diff.ts';
import { buildPrompt, noChangesError, type Material, type PromptMessage } from './prompt-message.ts';

export class ResolveConflictsArguments extends RepositoryInput {
  @Text('Restrict to this file; default: all files with conflicts', { optional: true }) path?: string;
}

/**
 * Builds the prompt to resolve conflicts. Embeds the unstaged diff of the files, and their conflict sides up to a total of
 * `maxBytes` bytes.
 *
 * @throws ToolError NO_CHANGES, PATH_NOT_FOUND, NO_WORK_TREE, and the errors of {@link resolvePath}
 */
export async function resolveConflicts(
  repository: Repository,
  { path }: ResolveConflictsArguments,
): Promise<readonly PromptMessage[]> {
  const all = await readConflicts(repository);
  if (all.length === 0) throw noChangesError('no file has a conflict', 'git_status shows the operation in progress');
  const file = path === undefined ? undefined : resolvePath(repository, path);
  const files = all.filter((each) => file === undefined || each.path === file);
  if (files.length === 0) throw new ToolError('PATH_NOT_FOUND', `${quoteInput(path ?? '')} has no conflict`);
  const paths = files.map((each) => each.path);
  const diff = await readUnstagedDiff(repository, paths);
  const { sides, left } = await readSides(repository, files);
  const words =
    'Resolve these conflicts so that the intent of both sides is kept. For each file, say in one sentence what each side intended and what you do; ask if the sides contradict each other. ' +
    'Then write the files without conflict markers, stage them with git_add, and call git_continue. In the URIs, stage 1 is the common ancestor, 2 is ours, 3 is theirs; ' +
    'if a side is missing, that side deleted the file or never had it.';
  const notes =
    left === 0
      ? []
      : [`${formatCount(left, 'more side')} did not fit; read the rest from the resource git://{repo}/conflict/{stage}/{+path}.`];
  return buildPrompt(words, [{ uri: formatGitUri(repository.id, 'diff', 'unstaged'), contents: diff }, ...sides], notes);
}

async function readSides(
  repository: Repository,
  files: readonly UnmergedFile[],
): Promise<{ readonly sides: readonly Material[]; readonly left: number }> {
  const all = files.flatMap(({ path, stages }) => stages.map((side) => ({ ...side, path })));
  const sides: Material[] = [];
  let bytes = 0;
  for (const { path, stage, oid } of all) {
    const contents = await readSide(repository, oid).catch(unlessTooLarge);
    bytes += Buffer.byteLength(contents?.text ?? contents?.blob ?? '');
    if (bytes > repository.limits.maxBytes) break;
    if (contents !== undefined) sides.push({ uri: formatGitUri(repository.id, 'conflict', String(stage), path), contents });
  }
  return { sides, left: all.length - sides.length };
}

function unlessTooLarge(error: unknown): undefined {
  if (!ToolError.is(error) || error.code !== 'TOO_LARGE') throw error;
}
