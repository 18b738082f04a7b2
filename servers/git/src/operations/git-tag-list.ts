import { Flag, Integer, ListOf, Text } from '@org/mcp-decorators';

import type { Repository } from '../repository/repository.ts';
import { resolveCommit } from '../repository/revision.ts';
import { listTags } from '../repository/tags.ts';
import { ListInput, listPage } from './list-page.ts';

export class GitTagListInput extends ListInput {
  @Text('Only tags that contain this commit', { optional: true }) contains?: string;
}

export class Tag {
  @Text() name!: string;
  @Text('Of the tag itself, where it is annotated') oid!: string;
  @Text('What it names') target!: string;
  @Flag() annotated!: boolean;
  @Text('ISO 8601') date!: string;
  @Text('Of its message, or of the commit, cut to 1,000 characters') subject!: string;
}

export class TagList {
  @ListOf(() => Tag, 'Newest first') tags!: Tag[];
  @Integer() total!: number;
  @Flag() truncated!: boolean;
  @Text({ optional: true }) next_cursor?: string;
}

/**
 * Lists tags, at most `maxEntries` and `maxBytes` of them.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO
 */
export async function gitTagList(repository: Repository, { contains, cursor }: GitTagListInput): Promise<TagList> {
  const filters = contains === undefined ? [] : [`--contains=${await resolveCommit(repository, contains)}`];
  const all = await listTags(repository, filters);
  const { maxEntries: most, maxBytes } = repository.limits;
  const { items: tags, ...next } = listPage(all, { cursor, most, maxBytes });
  return { tags, total: all.length, truncated: next.next_cursor !== undefined, ...next };
}
