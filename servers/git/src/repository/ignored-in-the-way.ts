import { ToolError, visibleName } from '@org/mcp-decorators';

import { decodeList } from './parse/fields.ts';
import type { Repository } from './repository.ts';
import { occupying } from './uncommitted.ts';

/** As many file names as a message holds. */
const MAX_NAMED = 20;

/**
 * Sees that no ignored file is written over: where git joins commits it takes such a file for something that can be made again, but
 * that may be the only copy of a key.
 *
 * @param changes what is done, by full object names: that of a commit, with that of another behind it if it is not its parent it differs from
 * @param isReversed it is taken back instead
 * @throws ToolError CONFLICT
 */
export async function requireNoIgnoredInTheWay(
  repository: Repository,
  changes: readonly string[],
  isReversed = false,
): Promise<void> {
  const flags = ['-r', '-m', '-z', '--root', '--name-only', '--no-renames', '--no-commit-id', '--diff-filter=A'];
  const command = ['diff-tree', ...flags, ...(isReversed ? ['-R'] : []), '--stdin'];
  const { stdout } = await repository.read(command, { input: changes.map((change) => `${change}\n`).join('') });
  const files = await occupying(repository, [...new Set(decodeList(stdout))], ['--ignored', '--exclude-standard']);
  if (files.length === 0) return;
  throw new ToolError(
    'CONFLICT',
    `ignored files would be overwritten: ${files.slice(0, MAX_NAMED).map(visibleName).join(', ')}`,
    {
      hint: 'move them out of the way',
      data: { files },
    },
  );
}
