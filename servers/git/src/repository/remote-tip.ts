import { ToolError } from '@org/mcp-decorators';

import { short } from '../text/short.ts';
import { oidOf } from './object.ts';
import { decodeWords } from './parse/fields.ts';
import type { Destination } from './push-references.ts';
import { runRemote, runsIn } from './remote-run.ts';
import type { Repository } from './repository.ts';

const MAX_COMMITS = 100;

/** The commit that a branch has at the remote now; none if it is not there. */
export async function seenAt(repository: Repository, destination: Destination): Promise<string | undefined> {
  const { remote, branch, credentials } = destination;
  const ref = `refs/heads/${branch}`;
  const command = ['ls-remote', '--refs', '--', remote, ref];
  const { stdout } = await runRemote(runsIn(repository), { command, credentials });
  // The pattern is also that of longer names.
  const line = stdout
    .toString('utf8')
    .split('\n')
    .find((each) => each.endsWith(`\t${ref}`));
  return line?.split('\t')[0];
}

/**
 * Commits that the remote's branch would have no more, as a line each, at most 100.
 *
 * @param local what it would have instead; absent if it is deleted
 * @throws ToolError NON_FAST_FORWARD for commits that are not here, and could not be kept
 */
export async function overwrittenAt(repository: Repository, seen: string, local: string | undefined): Promise<readonly string[]> {
  if ((await oidOf(repository, `${seen}^{commit}`)) === undefined)
    throw new ToolError('NON_FAST_FORWARD', `the remote is at ${short(seen)}, which is not here and would be lost`, {
      hint: 'git_fetch brings it; then look at it, and decide',
      data: { remote: seen },
    });
  const others = local === undefined ? ['--max-count=1'] : [`--max-count=${MAX_COMMITS}`, `^${local}`];
  const { stdout } = await repository.read(['log', '-z', '--no-show-signature', '--format=%h %s', ...others, seen, '--']);
  return decodeWords(stdout);
}
