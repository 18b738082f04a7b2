import type { Issue } from '../schema/instantiate.ts';

/** One line for each issue: where it is, and what it is. */
export function describeIssues(issues: readonly Issue[]): string {
  return issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`)).join('\n');
}
