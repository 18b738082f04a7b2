import { Text } from '@org/mcp-decorators';

import { RepositoryInput } from './repository-input.ts';

/** Which remote is meant. */
export class RemoteInput extends RepositoryInput {
  @Text("Name of a remote; default: the current branch's, else origin", { optional: true }) remote?: string;
}
