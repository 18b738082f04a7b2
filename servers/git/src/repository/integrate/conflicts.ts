import { ToolError } from '@org/mcp-decorators';

import { parseUnmerged, type UnmergedFile } from '../parse/unmerged.ts';
import type { Repository } from '../repository.ts';
import { formatOperation, type Operation } from './operation.ts';
import { formatPath } from '../parse/path-bytes.ts';

/** Maximum number of paths in the message of an error. */
const MAX_NAMED = 20;
/** Maximum number of paths in the data of an error; git_conflicts lists all. */
const MAX_LISTED = 200;

/** Next steps if all conflicts are resolved. */
export const STEPS_RESOLVED: readonly string[] = [
  'git_continue continues the operation',
  'git_abort restores the state before the operation',
];

const NEXT_STEPS: readonly string[] = [
  'git_conflicts shows the conflicts',
  'edit the files, then stage them with git_add',
  ...STEPS_RESOLVED,
];

/** Next steps if git has no operation to continue, as after a squash, a pick without a commit, or a stash. */
const NEXT_STEPS_WITHOUT_OPERATION: readonly string[] = NEXT_STEPS.map((step) =>
  step.replace(/^git_continue.*/, 'git_commit commits the result'),
);

/** Lists the files in conflict with their stages. */
export async function listUnmerged(repository: Repository): Promise<readonly UnmergedFile[]> {
  return parseUnmerged((await repository.read(['ls-files', '--unmerged', '-z'])).stdout);
}

/** Lists what the caller can do after a conflict. */
export function listNextSteps(operation: Operation | undefined): readonly string[] {
  return operation === undefined ? NEXT_STEPS_WITHOUT_OPERATION : NEXT_STEPS;
}

/** Creates the error for an operation that stopped because files are in conflict. */
export function conflictError(files: readonly UnmergedFile[], operation: Operation | undefined): ToolError {
  const paths = files.map(({ path }) => path);
  const steps = listNextSteps(operation);
  return new ToolError(
    'CONFLICT',
    `${operation === undefined ? 'the result' : formatOperation(operation)}: conflicts in ${formatFirst(paths.map(formatPath))}`,
    {
      hint: `${steps.join('; ')}.`,
      data: { operation: operation?.kind, files: paths.slice(0, MAX_LISTED), next_steps: steps },
    },
  );
}

/** Joins the first 20 texts for a message, and appends the number of further texts. */
export function formatFirst(texts: readonly string[]): string {
  return texts.slice(0, MAX_NAMED).join(', ') + (texts.length > MAX_NAMED ? ` and ${texts.length - MAX_NAMED} more` : '');
}

/** Formats the first 20 paths for a message. */
export function formatPaths(paths: readonly string[]): string {
  return paths.slice(0, MAX_NAMED).map(formatPath).join(', ');
}
