import { ToolError } from '@org/mcp-decorators';

import type { Repository } from './repository.ts';

/** @throws ToolError NO_WORK_TREE for a bare repository */
export function requireWorkTree({ ground }: Repository): void {
  if (ground.isBare)
    throw new ToolError('NO_WORK_TREE', 'the repository is bare: it has no work tree and no index', {
      hint: 'git_clone makes a repository with a work tree of it',
    });
}
