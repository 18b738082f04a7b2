import { findNearestName, ToolError } from '@org/mcp-decorators';

import { quoteInput } from '../../text/visible.ts';
import { decodeReferenceNames } from '../parse/references.ts';
import type { Repository } from '../repository.ts';
import { findOid } from './object.ts';
import { invalidRevisionError } from './revision.ts';

/** Matches names that are never valid: git would not interpret them as a branch or tag, or no argument can contain them (NUL). */
const NEVER = /^(?:|-.*|HEAD|@)$|\0/s;

/** Matches names that are valid unless they contain `.lock`. Git decides about all other names. */
const SURELY_VALID = /^\w[\w-]*(?:[./]\w[\w-]*)*$/;

/** Maximum number of UTF-16 units of a name. A loose reference is a file, and file systems limit the length of file names. */
const MAX_NAME = 255;

const PREFIXES = { branch: 'refs/heads/', tag: 'refs/tags/' } as const;

/**
 * Requires that a name is valid for a branch, so that no command parses it as an option.
 *
 * @throws ToolError INVALID_REF_NAME
 */
export async function requireBranchName(repository: Pick<Repository, 'read'>, name: string): Promise<void> {
  await requireRefName(repository, 'branch', name);
}

/**
 * Requires that a name is valid for a branch or a tag, so that no command parses it as an option.
 *
 * @throws ToolError INVALID_REF_NAME
 */
export async function requireRefName(
  repository: Pick<Repository, 'read'>,
  kind: keyof typeof PREFIXES,
  name: string,
): Promise<void> {
  const plausible = name.length <= MAX_NAME && !NEVER.test(name);
  if (plausible && SURELY_VALID.test(name) && !name.includes('.lock')) return;
  const command = ['check-ref-format', `${PREFIXES[kind]}${name}`];
  if (plausible && (await repository.read(command, { codes: [0, 1] })).code === 0) return;
  throw new ToolError('INVALID_REF_NAME', `${quoteInput(name)} is not a valid name for a ${kind}`, {
    hint: 'a name must not start with "-" or contain "..", "@{", "~", "^", ":", "?", "*", "[", "\\", spaces or control characters',
  });
}

/**
 * Returns the commit of a local branch.
 *
 * @throws ToolError INVALID_REVISION with the most similar name
 */
export async function resolveBranch(repository: Repository, name: string): Promise<string> {
  const oid = await findBranch(repository, name);
  if (oid !== undefined) return oid;
  const { stdout } = await repository.read(['for-each-ref', '--format=%(refname:lstrip=2)%00', 'refs/heads']);
  const names = decodeReferenceNames(stdout);
  throw invalidRevisionError(name, findNearestName(name, names));
}

/** Returns the commit of a local branch, or `undefined` if the branch does not exist. */
export function findBranch(repository: Repository, name: string): Promise<string | undefined> {
  return findOid(repository, `refs/heads/${name}^{commit}`);
}
