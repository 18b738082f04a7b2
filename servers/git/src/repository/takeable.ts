import { ToolError } from '@org/mcp-decorators';

import { quoted } from '../text/visible.ts';
import { requireNoneBehindLinks } from './behind-links.ts';
import type { Repository } from './repository.ts';
import { hasRepository, submoduleCommit } from './submodule-commit.ts';
import { submodulesAmong } from './tracked-files.ts';
import { changesIn, inWorkTree } from './uncommitted.ts';

/**
 * Requires that all content that git would commit at or below the paths is inside the allowed directories. Git follows links on the
 * path to a file and, for the commit of a submodule, its `.git` file.
 *
 * @throws ToolError INVALID_PATH
 */
export async function requireTakeable(repository: Repository, paths: readonly string[]): Promise<void> {
  const changed = inWorkTree((await changesIn(repository, paths)).entries);
  await requireNoneBehindLinks(repository, changed);
  for (const directory of new Set([...changed, ...(await submodulesAmong(repository, paths))]))
    if ((await hasRepository(repository, directory)) && (await submoduleCommit(repository, directory)) === undefined)
      throw new ToolError(
        'INVALID_PATH',
        `the commit of the submodule ${quoted(directory)} is not inside the allowed directories`,
      );
}
