import { Text, ToolError } from '@org/mcp-decorators';

import { RepositoryInput } from '../operations/repository-input.ts';
import { pathInside } from '../repository/paths.ts';
import type { Unmerged } from '../repository/parse/unmerged.ts';
import type { Repository } from '../repository/repository.ts';
import { readConflicts, readSide } from '../resources/read-conflict.ts';
import { readUnstagedDiff } from '../resources/read-diff.ts';
import { gitUri } from '../text/git-uri.ts';
import { quoted } from '../text/visible.ts';
import { noChanges } from './no-changes.ts';
import { request, type Material, type PromptMessage } from './prompt-message.ts';

export class ResolveConflictsArguments extends RepositoryInput {
  @Text('Only this file; default: all with conflicts', { optional: true }) path?: string;
}

/**
 * Asks for the conflicts to be resolved, with the files as each side has them, as many as fit into `maxBytes`.
 *
 * @throws ToolError NO_CHANGES, PATH_NOT_FOUND, NO_WORK_TREE, and those of `pathInside`
 */
export async function resolveConflicts(
  repository: Repository,
  { path }: ResolveConflictsArguments,
): Promise<readonly PromptMessage[]> {
  const all = await readConflicts(repository);
  if (all.length === 0) throw noChanges('there are no conflicts', 'git_status shows what is in progress');
  const file = path === undefined ? undefined : pathInside(repository, path);
  const files = all.filter((each) => file === undefined || each.path === file);
  if (files.length === 0) throw new ToolError('PATH_NOT_FOUND', `there is no conflict in ${quoted(path ?? '')}`);
  const paths = files.map((each) => each.path);
  const diff = await readUnstagedDiff(repository, paths);
  const { sides, left } = await sidesWithin(repository, files);
  const words =
    'Resolve these conflicts so that what both sides meant is kept. For each file say in a sentence what each side meant and what you do, and ask where they contradict each other. ' +
    'Then write the files without markers, git_add them, and git_continue. In the URIs stage 1 is what both began with, 2 is ours, 3 is theirs; ' +
    'a side that is not there has deleted the file, or never had it.';
  const notes =
    left === 0 ? [] : [`${left} more sides did not fit; the resource git://{repo}/conflict/{stage}/{+path} reads them.`];
  return request(words, [{ uri: gitUri(repository.id, 'diff', 'unstaged'), contents: diff }, ...sides], notes);
}

async function sidesWithin(
  repository: Repository,
  files: readonly Unmerged[],
): Promise<{ readonly sides: readonly Material[]; readonly left: number }> {
  const all = files.flatMap(({ path, stages }) => stages.map((side) => ({ ...side, path })));
  const sides: Material[] = [];
  let bytes = 0;
  for (const { path, stage, oid } of all) {
    const contents = await readSide(repository, oid).catch(unlessTooLarge);
    bytes += Buffer.byteLength(contents?.text ?? contents?.blob ?? '');
    if (bytes > repository.limits.maxBytes) break;
    if (contents !== undefined) sides.push({ uri: gitUri(repository.id, 'conflict', String(stage), path), contents });
  }
  return { sides, left: all.length - sides.length };
}

function unlessTooLarge(error: unknown): undefined {
  if (!ToolError.is(error) || error.code !== 'TOO_LARGE') throw error;
}
