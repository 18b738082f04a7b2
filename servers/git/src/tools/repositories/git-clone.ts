import { Flag, Integer, Result, Text, escapeInvisible, type RequestContext } from '@org/mcp-decorators';

import type { NewRepository } from '../../repository/new-repository.ts';
import { ProgressReader } from '../../repository/parse/progress.ts';
import { requireBranchName } from '../../repository/refs/branch-name.ts';
import { readHead } from '../../repository/refs/head.ts';
import { buildProgressFlag, runRemote } from '../../repository/remotes/remote-run.ts';
import { readUserCredentials } from '../../repository/remotes/remote-settings.ts';
import { requireNoSecret, requirePermittedUrl } from '../../repository/remotes/remote-url.ts';
import { resolveRewrittenUrl } from '../../repository/remotes/resolve-url.ts';
import type { CallScope, Repositories } from '../../repository/repositories.ts';
import type { Repository } from '../../repository/repository.ts';
import { shortOid } from '../../text/format.ts';
import { MadeRepository } from './git-init.ts';

export class GitCloneInput {
  @Text('https or ssh URL without a password') url!: string;
  @Text('Directory to clone into; must be new or empty') path!: string;
  @Text('Branch or tag to check out; default: HEAD of the remote', { optional: true }) branch?: string;
  @Integer('Depth of a shallow clone, in commits; fetches one branch', { optional: true, min: 1, max: 1_000_000 }) depth?: number;
  @Flag('Create a bare repository, without a work tree') bare = false;
}

/** A cloned repository. */
export class ClonedRepository extends MadeRepository {
  @Text('URL of the remote') url!: string;
  @Text('Commit of HEAD; absent if the remote is empty', { optional: true }) oid?: string;
}

interface CloneCall {
  readonly scope: CallScope;
  readonly context: RequestContext;
}

/**
 * Clones a remote repository without submodules, hooks and templates. A clone that fails or is cancelled leaves nothing behind.
 *
 * Reports progress in percent.
 *
 * @throws ToolError INVALID_URL, HOST_NOT_ALLOWED, ALREADY_EXISTS, INVALID_PATH, PATH_OUTSIDE_ROOTS, INVALID_REF_NAME,
 * INVALID_REVISION, AUTH_REQUIRED, NETWORK, TIMEOUT, REMOTE_NOT_FOUND, UNSAFE_OBJECTS
 */
export async function gitClone(repositories: Repositories, input: GitCloneInput, { scope, context }: CloneCall): Promise<Result> {
  requireNoSecret(input.url);
  requirePermittedUrl(input.url, repositories.policy);
  await using made = await repositories.createNew({ path: input.path, allowsFiles: false }, scope);
  const { shown: url } = await resolveRewrittenUrl(made, input.url);
  const credentials = await readUserCredentials(made);
  await runRemote(made, { command: await buildCommand(made, input, context), credentials }, context);
  if (!input.bare) await checkOutHead(await repositories.open(made.path, scope), context);
  const path = await made.save();
  const repository = await repositories.open(path, scope);
  const { branch, oid } = await readHead(repository);
  return formatClone({
    repository: repository.id,
    path,
    url,
    bare: input.bare,
    ...(branch !== undefined && { branch }),
    ...(oid !== undefined && { oid }),
  });
}

/** Checks out the work tree in a separate git process, with the configuration that was verified after the clone. */
async function checkOutHead(repository: Repository, context: RequestContext): Promise<void> {
  const { oid } = await readHead(repository);
  if (oid === undefined) return;
  const reader = new ProgressReader((hundredths, words) => context.progress(hundredths, 100, words));
  const flags = ['--force', '--quiet', buildProgressFlag(context), '--no-recurse-submodules'];
  await repository.write(['checkout', ...flags, 'HEAD', '--'], { onStderr: (text) => reader.feed(text) });
}

async function buildCommand(
  made: NewRepository,
  { url, branch, depth, bare }: GitCloneInput,
  context: RequestContext,
): Promise<readonly string[]> {
  if (branch !== undefined) await requireBranchName(made, branch);
  return [
    'clone',
    buildProgressFlag(context),
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

function formatClone(cloned: ClonedRepository): Result {
  const { url, path, branch, oid } = cloned;
  const head = oid === undefined ? ', without commits' : `, at ${shortOid(oid)}`;
  const place = branch === undefined ? '' : ` on ${escapeInvisible(branch)}`;
  return Result.of(cloned, `Cloned ${escapeInvisible(url)} into ${escapeInvisible(path)}${head}${place}`);
}
