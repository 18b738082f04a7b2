import { ToolError } from '@org/mcp-decorators';
import { compileGlob } from '@org/mcp-roots';

import { quoted } from '../text/visible.ts';
import type { Policy } from './repository.ts';

/** Characters with a special meaning in globs. A comma is special only in braces. */
const SPECIAL = /[\\?[\]{}]/g;

/** Whether a short name such as `release/1.2` is one of `--protected-branches`, where `*` stands for any characters but `/`. */
export function isProtected(branch: string, { protectedBranches }: Policy): boolean {
  return protectedBranches.some((pattern) => matches(pattern, branch));
}

/**
 * @param change what was asked for, as in `deleted`
 * @throws ToolError PROTECTED_BRANCH
 */
export function requireUnprotected(branch: string, change: string, policy: Policy): void {
  if (isProtected(branch, policy))
    throw new ToolError('PROTECTED_BRANCH', `${quoted(branch)} is a protected branch: it is not ${change}`, {
      hint: 'only the operator can change that, with --protected-branches',
    });
}

/** Matches with a glob, whose run time is bounded for any number of stars. Two stars mean the same as one here. */
function matches(pattern: string, branch: string): boolean {
  const glob = pattern.replaceAll(/\*+/g, '*').replaceAll(SPECIAL, String.raw`\$&`);
  return compileGlob(glob)(branch);
}
