import { ToolError } from '@org/mcp-decorators';

import { quoted } from '../text/visible.ts';
import type { Policy } from './repository.ts';

const SPECIAL = /[\\^$.*+?()[\]{}|]/g;

/** Whether a short name such as `release/1.2` is one of `--protected-branches`, where `*` stands for any characters but `/`. */
export function isProtected(branch: string, { protectedBranches }: Policy): boolean {
  return protectedBranches.some((pattern) => matcherOf(pattern).test(branch));
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

function matcherOf(pattern: string): RegExp {
  const parts = pattern.split(/\*+/).map((part) => part.replaceAll(SPECIAL, String.raw`\$&`));
  return new RegExp(`^${parts.join('[^/]*')}$`, 'su');
}
