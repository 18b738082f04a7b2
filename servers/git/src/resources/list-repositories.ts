import { type ResourceDefinition, visibleName } from '@org/mcp-decorators';

import type { Repository } from '../repository/repository.ts';
import { gitUri } from '../text/git-uri.ts';

/** What of every repository is worth having at hand. */
const LISTED = [
  ['status', 'Status', 'Branch, upstream and changed files'],
  ['head', 'HEAD', 'The current branch and its commit'],
  ['refs', 'Branches and tags', 'All of them, with the objects they name'],
] as const;

/** Status, HEAD and refs of each repository; a bare one has no status. */
export function listRepositories(repositories: readonly Repository[]): readonly ResourceDefinition[] {
  return repositories.flatMap((repository) =>
    LISTED.filter(([kind]) => !(repository.ground.isBare && kind === 'status')).map(([kind, title, description]) => ({
      uri: gitUri(repository.id, kind),
      name: `${visibleName(repository.id)} ${kind}`,
      title: `${title} of ${visibleName(repository.shown)}`,
      description,
      mimeType: 'application/json',
    })),
  );
}
