import { Field } from '@org/mcp-decorators';
import { IsBoolean, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';

import type { Repository } from '../repository/repository.ts';
import { resolveCommit } from '../repository/revision.ts';
import { listTags } from '../repository/tags.ts';
import { ListInput, listPage } from './list-page.ts';

export class GitTagListInput extends ListInput {
  @Field('Only tags that contain this commit')
  @IsOptional()
  @IsString()
  contains?: string;
}

export class Tag {
  @IsString()
  name!: string;

  @Field('Of the tag itself, where it is annotated')
  @IsString()
  oid!: string;

  @Field('What it names')
  @IsString()
  target!: string;

  @IsBoolean()
  annotated!: boolean;

  @Field('ISO 8601')
  @IsString()
  date!: string;

  @Field('Of its message, or of the commit, cut to 1,000 characters')
  @IsString()
  subject!: string;
}

export class TagList {
  @Field('Newest first', { type: () => Tag })
  @ValidateNested({ each: true })
  tags!: Tag[];

  @IsInt()
  total!: number;

  @IsBoolean()
  truncated!: boolean;

  @IsOptional()
  @IsString()
  next_cursor?: string;
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
