import { ToolError } from '@org/mcp-decorators';
import { diagnoseClientRoots, type Diagnosis } from '@org/mcp-host';
import type { Roots } from '@org/mcp-roots';

import type { GitOptions } from './options/git-options.ts';
import type { Repositories } from './repository/repositories.ts';

/** Looking at one repository may take this long. */
const LOOK_MS = 60_000;

/** What `check` says: git's version, and whether each repository that was found can be used. */
export async function diagnose(
  repositories: Repositories,
  roots: Roots,
  options: Pick<GitOptions, 'roots'>,
): Promise<readonly Diagnosis[]> {
  const general = [await ofGit(repositories), diagnoseClientRoots(options, roots.directories)];
  if (roots.directories.length === 0) return general;
  const candidates = await repositories.candidates(roots);
  const none = { subject: 'repositories', ok: false, detail: 'none found in the given directories' };
  const each = await Promise.all(candidates.map((top) => ofRepository(repositories, roots, top)));
  return [...general, ...(each.length === 0 ? [none] : each)];
}

function ofGit(repositories: Repositories): Promise<Diagnosis> {
  return told('git', async () => `version ${await repositories.gitVersion()}`);
}

function ofRepository(repositories: Repositories, roots: Roots, top: string): Promise<Diagnosis> {
  return told(`repository ${top}`, async () => {
    const { id } = await repositories.open(top, { roots, signal: AbortSignal.timeout(LOOK_MS) });
    return `available as ${id}`;
  });
}

async function told(subject: string, detail: () => Promise<string>): Promise<Diagnosis> {
  try {
    return { subject, ok: true, detail: await detail() };
  } catch (error) {
    if (ToolError.is(error)) return { subject, ok: false, detail: error.text };
    throw error;
  }
}
