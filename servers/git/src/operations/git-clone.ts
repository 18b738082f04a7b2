import { Flag, Integer, Text, type RequestContext } from '@org/mcp-decorators';

import { requireBranchName } from '../repository/branch-name.ts';
import { headOf } from '../repository/head.ts';
import type { NewRepository } from '../repository/new-repository.ts';
import { ProgressReader } from '../repository/parse/progress.ts';
import { progressFlag, runRemote } from '../repository/remote-run.ts';
import { usersCredentials } from '../repository/remote-settings.ts';
import { requireNoSecret, requirePermittedUrl } from '../repository/remote-url.ts';
import { rewrittenUrl } from '../repository/remote-urls.ts';
import type { CallScope, Repositories } from '../repository/repositories.ts';
import type { Repository } from '../repository/repository.ts';
import { MadeRepository } from './git-init.ts';

export class GitCloneInput {
  @Text('https or ssh, without a password') url!: string;
  @Text('The directory that it becomes: a new one, or an empty one') path!: string;
  @Text('Branch or tag to check out; default: what the remote has as HEAD', { optional: true }) branch?: string;
  @Integer('Only so many commits, of one branch', { optional: true, min: 1, max: 1_000_000 }) depth?: number;
  @Flag('Without a work tree') bare = false;
}

/** A copy of a remote repository. */
export class ClonedRepository extends MadeRepository {
  @Text('Where it is from') url!: string;
  @Text('Commit that is checked out; absent where the remote has none', { optional: true }) oid?: string;
}

/**
 * Copies a remote repository: without submodules, hooks and templates. Where that fails or is cancelled, nothing is left.
 *
 * Reports progress in hundredths.
 *
 * @throws ToolError INVALID_URL, HOST_NOT_ALLOWED, ALREADY_EXISTS, INVALID_PATH, PATH_OUTSIDE_ROOTS, INVALID_REF_NAME,
 * INVALID_REVISION, AUTH_REQUIRED, NETWORK, TIMEOUT, REMOTE_NOT_FOUND, UNSAFE_OBJECTS
 */
export async function gitClone(
  repositories: Repositories,
  input: GitCloneInput,
  { scope, context }: { readonly scope: CallScope; readonly context: RequestContext },
): Promise<ClonedRepository> {
  requireNoSecret(input.url);
  requirePermittedUrl(input.url, repositories.policy);
  await using made = await repositories.begin({ path: input.path, around: false }, scope);
  const { shown: url } = await rewrittenUrl(made, input.url);
  const credentials = await usersCredentials(made);
  await runRemote(made, { command: await commandOf(made, input, context), credentials }, context);
  if (!input.bare) await checkOut(await repositories.open(made.path, scope), context);
  const path = await made.save();
  const repository = await repositories.open(path, scope);
  const { branch, oid } = await headOf(repository);
  return {
    repository: repository.id,
    path,
    url,
    bare: input.bare,
    ...(branch !== undefined && { branch }),
    ...(oid !== undefined && { oid }),
  };
}

/** Checks out the work tree in a separate git process, with the configuration that was verified after the clone. */
async function checkOut(repository: Repository, context: RequestContext): Promise<void> {
  const { oid } = await headOf(repository);
  if (oid === undefined) return;
  const reader = new ProgressReader((hundredths, words) => context.progress(hundredths, 100, words));
  const flags = ['--force', '--quiet', progressFlag(context), '--no-recurse-submodules'];
  await repository.write(['checkout', ...flags, 'HEAD', '--'], { onStderr: (text) => reader.feed(text) });
}

async function commandOf(
  made: NewRepository,
  { url, branch, depth, bare }: GitCloneInput,
  context: RequestContext,
): Promise<readonly string[]> {
  if (branch !== undefined) await requireBranchName(made, branch);
  return [
    'clone',
    progressFlag(context),
    '--no-recurse-submodules',
    '--origin=origin',
    ...(branch === undefined ? [] : [`--branch=${branch}`]),
    ...(depth === undefined ? [] : [`--depth=${depth}`]),
    bare ? '--bare' : '--no-checkout',
    '--',
    url,
    '.',
  ];
}
