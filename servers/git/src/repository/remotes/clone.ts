import type { RequestContext } from '@org/mcp-decorators';

import type { NewRepository } from '../new-repository.ts';
import { ProgressReader } from '../parse/progress.ts';
import { requireBranchName } from '../refs/branch-name.ts';
import { readHead } from '../refs/head.ts';
import type { CallScope, Repositories } from '../repositories.ts';
import type { Repository } from '../repository.ts';
import { buildProgressFlag, runRemote } from './remote-run.ts';
import { readUserCredentials } from './remote-settings.ts';
import { requireNoSecret } from './remote-url.ts';
import { resolveRewrittenUrl } from './resolve-url.ts';

/** A repository to clone. */
export interface CloneRequest {
  readonly url: string;
  /** Directory to clone into; must be new or empty. */
  readonly path: string;
  /** Branch or tag to check out. */
  readonly branch?: string | undefined;
  /** Depth of a shallow clone, in commits. */
  readonly depth?: number | undefined;
  readonly bare?: boolean;
  /** Chooses the commit at which HEAD is detached. Default: HEAD of the remote, without detaching. */
  readonly chooseCommit?: (made: Repository) => Promise<string>;
}

/** A clone, and the URL it was made from, without passwords. */
export interface Clone {
  readonly repository: Repository;
  readonly path: string;
  readonly url: string;
}

/** The scope in which a clone is made, and the receiver of its progress. */
export interface CloneCall {
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
export async function cloneRepository(repositories: Repositories, request: CloneRequest, call: CloneCall): Promise<Clone> {
  const { scope, context } = call;
  requireNoSecret(request.url);
  await using made = await repositories.createNew({ path: request.path, allowsFiles: false }, scope);
  const { shown: url, peer } = await resolveRewrittenUrl(made, request.url, 'origin');
  const credentials = await readUserCredentials(made);
  await runRemote(made, { command: await buildCommand(made, request, context), credentials, peer }, context);
  if (request.bare !== true) await checkOut(await repositories.open(made.path, scope), request, context);
  const path = await made.save();
  return { repository: await repositories.open(path, scope), path, url };
}

/** Checks out the work tree in a separate git process, with the configuration that was verified after the clone. */
async function checkOut(made: Repository, { chooseCommit }: CloneRequest, context: RequestContext): Promise<void> {
  const commit = await chooseCommit?.(made);
  if (commit === undefined && (await readHead(made)).oid === undefined) return;
  const reader = new ProgressReader((hundredths, words) => context.progress(hundredths, 100, words));
  const flags = ['--force', '--quiet', buildProgressFlag(context), '--no-recurse-submodules'];
  const at = commit === undefined ? ['HEAD'] : ['--detach', commit];
  await made.write(['checkout', ...flags, ...at, '--'], { onStderr: (text) => reader.feed(text) });
}

async function buildCommand(
  made: NewRepository,
  { url, branch, depth, bare }: CloneRequest,
  context: RequestContext,
): Promise<readonly string[]> {
  if (branch !== undefined) await requireBranchName(made, branch);
  return [
    'clone',
    buildProgressFlag(context),
    '--no-recurse-submodules',
    '--origin=origin',
    // Git would copy the files of a directory without verifying the objects.
    '--no-local',
    ...(branch === undefined ? [] : [`--branch=${branch}`]),
    ...(depth === undefined ? [] : [`--depth=${depth}`]),
    bare === true ? '--bare' : '--no-checkout',
    '--',
    url,
    '.',
  ];
}
