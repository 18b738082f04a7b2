import { nearest, ToolError } from '@org/mcp-decorators';

import { quoted } from '../text/visible.ts';
import { decodeReferences } from './parse/fields.ts';
import type { Repository } from './repository.ts';
import { invalidRevision } from './revision.ts';

/** A branch of a remote, as it was fetched last. */
export interface RemoteBranch {
  /** `refs/remotes/origin/feature`. */
  readonly ref: string;
  /** What it is called at the remote, and will be called here. */
  readonly branch: string;
}

/**
 * The remote branch of a name, with or without the remote's: `origin/feature`, or `feature` where only one remote has it.
 *
 * @throws ToolError INVALID_REVISION with the nearest name, or where several remotes have it
 */
export async function remoteBranch(repository: Repository, name: string): Promise<RemoteBranch> {
  const [{ stdout }, listed] = await Promise.all([
    repository.read(['for-each-ref', '--format=%(refname)%00', 'refs/remotes']),
    repository.read(['remote']),
  ]);
  const remotes = listed.stdout.toString('utf8').split('\n').filter(Boolean);
  const branches = decodeReferences(stdout).flatMap((ref) => split(ref, remotes));
  const found = branches.filter(({ ref, branch }) => ref === `refs/remotes/${name}` || branch === name);
  const [first] = found;
  if (first === undefined) throw invalidRevision(name, nearest(name, branches.map(shortName)));
  if (found.length === 1) return first;
  throw new ToolError('INVALID_REVISION', `several remotes have a branch ${quoted(name)}`, {
    hint: found.map(shortName).join(', '),
  });
}

function shortName({ ref }: RemoteBranch): string {
  return ref.slice('refs/remotes/'.length);
}

/** The name of a remote may contain a slash, too. */
function split(ref: string, remotes: readonly string[]): readonly RemoteBranch[] {
  const remote = remotes
    .filter((each) => ref.startsWith(`refs/remotes/${each}/`))
    .sort((one, other) => other.length - one.length)[0];
  if (remote === undefined) return [];
  const branch = ref.slice(`refs/remotes/${remote}/`.length);
  return branch === 'HEAD' ? [] : [{ ref, branch }];
}
