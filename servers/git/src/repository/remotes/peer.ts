import { ToolError, escapeInvisible } from '@org/mcp-decorators';

import { quoteForShell } from '../../text/format.ts';
import { configureHooks } from '../hooks.ts';
import type { Configuration } from '../process/environment.ts';
import { readWorktrees } from '../refs/worktrees.ts';
import type { Repository } from '../repository.ts';

/** A remote that is a directory, and its repository, which passed the guard. */
export interface Peer {
  /** Name of the remote. */
  readonly remote: string;
  readonly repository: Repository;
}

/** Variables that git sets itself when it enters the repository of a remote. */
const ENTERED = new Set(['GIT_DIR', 'GIT_WORK_TREE', 'GIT_IMPLICIT_WORK_TREE']);

/** Configuration with which a push to a peer changes no work tree, removes no objects, and stores no invalid objects. */
const RECEIVING: Configuration = {
  'receive.denyCurrentBranch': 'refuse',
  'receive.autogc': 'false',
  'receive.fsckObjects': 'true',
};

/**
 * Returns configuration with which git starts the processes of a peer in the hardened environment and with the checked
 * configuration. Otherwise git would clear the variables of this environment, and the processes would read the configuration of
 * the directory again.
 */
export function bindPeer({ remote, repository }: Peer): Configuration {
  return {
    [`remote.${remote}.uploadpack`]: buildService(repository, ['upload-pack', '--strict'], {}),
    [`remote.${remote}.receivepack`]: buildService(repository, ['receive-pack'], {
      ...RECEIVING,
      ...configureHooks(repository.policy).config,
    }),
  };
}

/**
 * Requires that no work tree of a peer has the given branch checked out, because a push does not change the files of the work
 * tree. Git does not notice such a work tree in this environment.
 *
 * @throws ToolError REMOTE_REJECTED
 */
export async function requireNotCheckedOut({ repository }: Peer, branch: string): Promise<void> {
  const worktrees = await readWorktrees(repository);
  if (!worktrees.some((worktree) => worktree.branch === branch)) return;
  throw new ToolError('REMOTE_REJECTED', `the branch ${escapeInvisible(branch)} is checked out in a work tree of the remote`, {
    hint: 'push to another branch with remote_branch, or pull in that work tree',
  });
}

/** Builds the command of a process. Git appends the path from the URL, which the command ignores in favour of the examined directory. */
function buildService(repository: Repository, service: readonly string[], config: Configuration): string {
  const variables = Object.entries(repository.buildEnvironment(config)).filter(
    ([name]) => name.startsWith('GIT_') && !ENTERED.has(name),
  );
  const words = ['sh', '-c', `exec git ${service.join(' ')} "$0"`, repository.layout.gitDir];
  return [...variables.map(([name, value]) => `${name}=${quoteForShell(value)}`), ...words.map(quoteForShell)].join(' ');
}
