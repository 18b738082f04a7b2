import { diagnoseClientRoots, type Diagnosis } from '@org/mcp-host';
import type { Guarantee, RootDirectory, Roots, RootState } from '@org/mcp-roots';

import type { FilesystemOptions } from './options/filesystem-options.ts';
import { aclProblem } from './write/acl-check.ts';

/** What `check` says: each directory, and how surely nothing leads out of it on this machine. */
export async function diagnoseRoots(
  { directories, guarantee }: Roots,
  options: FilesystemOptions,
): Promise<readonly Diagnosis[]> {
  const guarded = { subject: 'guarantee', ok: true, detail: GUARANTEES[guarantee] };
  const problem = options.readOnly ? undefined : await aclProblem();
  const general = problem === undefined ? [guarded] : [guarded, { subject: 'ACLs', ok: true, detail: problem }];
  return [...(await Promise.all(directories.map(diagnose))), diagnoseClientRoots(options, directories), ...general];
}

const GUARANTEES: Readonly<Record<Guarantee, string>> = {
  pinned: 'pinned: what was checked is held by a descriptor, so swapping files and links meanwhile leads nowhere',
  rechecked:
    'rechecked: this machine has no /proc/self/fd, so paths are looked at before and after each use; do not let others write in the directories',
};

async function diagnose(root: RootDirectory): Promise<Diagnosis> {
  const state = await root.state();
  const detail = `${STATES[state]}${root.path === root.realPath ? '' : ` as ${root.realPath}`}${root.mode === 'ro' ? ', read-only' : ''}`;
  return { subject: `root ${root.path}`, ok: state === 'available', detail };
}

const STATES: Readonly<Record<RootState, string>> = {
  available: 'available',
  unavailable: 'not there; it is used as soon as it is',
  changed: 'another directory than when the server was started',
};
