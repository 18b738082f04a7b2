import { Flag, Integer, ListOf, Result, Text, escapeInvisible } from '@org/mcp-decorators';

import { resolveCommit } from '../../repository/refs/revision.ts';
import { listTags } from '../../repository/refs/tags.ts';
import type { Repository } from '../../repository/repository.ts';
import { shortOid } from '../../text/format.ts';
import { ListInput, listPage } from '../inputs/list-page.ts';
import { formatRest } from '../results/result-text.ts';

export class GitTagListInput extends ListInput {
  @Text('Only tags that contain this commit', { optional: true }) contains?: string;
}

export class Tag {
  @Text() name!: string;
  @Text('Object name of the tag object; for a lightweight tag, of the tagged object') oid!: string;
  @Text('Object name of the tagged object') target!: string;
  @Flag() annotated!: boolean;
  @Text('ISO 8601') date!: string;
  @Text('Subject of the message of the tag or commit (first paragraph as one line), cut to 1,000 characters') subject!: string;
}

export class TagList {
  @ListOf(() => Tag, 'Newest first') tags!: Tag[];
  @Integer() total!: number;
  @Flag() truncated!: boolean;
  @Text({ optional: true }) next_cursor?: string;
}

/**
 * Lists at most `maxEntries` tags, in at most `maxBytes` bytes.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO
 */
export async function gitTagList(repository: Repository, { contains, cursor }: GitTagListInput): Promise<Result> {
  const filters = contains === undefined ? [] : [`--contains=${await resolveCommit(repository, contains)}`];
  const all = await listTags(repository, filters);
  const { maxEntries: most, maxBytes } = repository.limits;
  const { items: tags, ...next } = listPage(all, { cursor, most, maxBytes });
  return formatTags({ tags, total: all.length, truncated: next.next_cursor !== undefined, ...next });
}

function formatTags(list: TagList): Result {
  const lines = list.tags.map(
    ({ name, target, annotated, date, subject }) =>
      `${escapeInvisible(name)} ${shortOid(target)} ${date}${annotated ? '' : ' (no message)'} ${escapeInvisible(subject)}`,
  );
  if (list.truncated) lines.push(formatRest(list, list.tags.length, 'tags'));
  return Result.of(list, lines.length === 0 ? 'No tags found' : lines.join('\n'));
}
