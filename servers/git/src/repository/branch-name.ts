import { nearest, ToolError } from '@org/mcp-decorators';

import { quoted } from '../text/visible.ts';
import { oidOf } from './object.ts';
import { decodeReferences } from './parse/fields.ts';
import type { Repository } from './repository.ts';
import { invalidRevision } from './revision.ts';

/** What git reads as something else than a name, and what no argument can carry. */
const NEVER = /^(?:|-.*|HEAD|@)$|\0/s;

/** As long as a file name may be, which a loose reference is. */
const MAX_NAME = 255;

const PREFIXES = { branch: 'refs/heads/', tag: 'refs/tags/' } as const;

/**
 * A name that a branch may have, and that no command takes for an option.
 *
 * @throws ToolError INVALID_REF_NAME
 */
export async function requireBranchName(repository: Pick<Repository, 'read'>, name: string): Promise<void> {
  await requireRefName(repository, 'branch', name);
}

/**
 * A name that a branch or a tag may have, and that no command takes for an option.
 *
 * @throws ToolError INVALID_REF_NAME
 */
export async function requireRefName(
  repository: Pick<Repository, 'read'>,
  kind: keyof typeof PREFIXES,
  name: string,
): Promise<void> {
  const plausible = name.length <= MAX_NAME && !NEVER.test(name);
  const command = ['check-ref-format', `${PREFIXES[kind]}${name}`];
  if (plausible && (await repository.read(command, { codes: [0, 1] })).code === 0) return;
  throw new ToolError('INVALID_REF_NAME', `${quoted(name)} cannot be the name of a ${kind}`, {
    hint: 'no leading "-", no "..", "@{", "~", "^", ":", "?", "*", "[", "\\", spaces or control characters',
  });
}

/**
 * The commit of a local branch.
 *
 * @throws ToolError INVALID_REVISION with the nearest name
 */
export async function branchCommit(repository: Repository, name: string): Promise<string> {
  const oid = await existingBranch(repository, name);
  if (oid !== undefined) return oid;
  const { stdout } = await repository.read(['for-each-ref', '--format=%(refname:lstrip=2)%00', 'refs/heads']);
  const names = decodeReferences(stdout);
  throw invalidRevision(name, nearest(name, names));
}

/** The commit of a local branch, if there is one of that name. */
export function existingBranch(repository: Repository, name: string): Promise<string | undefined> {
  return oidOf(repository, `refs/heads/${name}^{commit}`);
}
