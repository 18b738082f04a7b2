import { ToolError } from '@org/mcp-decorators';
import { compileGlob } from '@org/mcp-roots';

import { quoteInput } from '../../text/visible.ts';
import type { Policy } from '../repository.ts';

/** Characters with a special meaning in globs. A comma is special only in braces. */
const SPECIAL = /[\\?[\]{}]/g;

/**
 * Whether the short name of a branch, such as `release/1.2`, matches `--protected-branches`. In a pattern, `*` matches any
 * characters except `/`.
 */
export function isProtected(branch: string, { protectedBranches }: Policy): boolean {
  return protectedBranches.some((pattern) => matches(pattern, branch));
}

/**
 * @param change past participle of the requested change, such as `deleted`
 * @throws ToolError PROTECTED_BRANCH
 */
export function requireUnprotected(branch: string, change: string, policy: Policy): void {
  if (isProtected(branch, policy))
    throw new ToolError('PROTECTED_BRANCH', `${quoteInput(branch)} is a protected branch and cannot be ${change}`, {
      hint: 'only the operator can change that, with --protected-branches',
    });
}

/** Whether a branch matches a pattern. The run time is bounded for any number of stars. Two stars mean the same as one. */
function matches(pattern: string, branch: string): boolean {
  const glob = pattern.replaceAll(/\*+/g, '*').replaceAll(SPECIAL, String.raw`\$&`);
  return compileGlob(glob)(branch);
}
