import type { BigIntStats } from 'node:fs';

import { Field, ToolError, type RequestContext } from '@org/mcp-decorators';
import { IsBoolean, IsIn, IsInt, IsOptional, IsString } from 'class-validator';

import { ENTRY_TYPES, entryTypeOf, type EntryType } from '../entry-type.ts';
import { etagOf } from '../etag.ts';
import type { Files } from '../files.ts';
import { isoTime } from '../text/iso.ts';
import { describeContent, type Content } from './describe-content.ts';
import { namedEntry } from './named-entry.ts';
import { PathInput } from './path-input.ts';

export class GetFileInfoInput extends PathInput {
  @Field('SHA-256 of the content')
  @IsOptional()
  @IsBoolean()
  hash?: boolean;

  @IsOptional()
  @IsBoolean()
  lineCount?: boolean;

  @Field('false: describe a link itself')
  @IsBoolean()
  followLinks = true;
}

/** Metadata of a file or directory. */
export class FileInfo {
  @IsString()
  path!: string;

  @IsIn([...ENTRY_TYPES])
  type!: EntryType;

  @Field('Bytes')
  @IsInt()
  size!: number;

  @Field('ISO 8601')
  @IsString()
  created!: string;

  @IsString()
  modified!: string;

  @IsString()
  accessed!: string;

  @Field('Octal, such as 644')
  @IsString()
  permissions!: string;

  @IsString()
  etag!: string;

  @Field('Of a link that leads inside')
  @IsOptional()
  @IsString()
  target?: string;

  @IsOptional()
  @IsString()
  mime?: string;

  @IsOptional()
  @IsBoolean()
  binary?: boolean;

  @IsOptional()
  @IsString()
  sha256?: string;

  @IsOptional()
  @IsInt()
  lineCount?: number;
}

/**
 * Describes a file or directory; of a symbolic link what it leads to, or with `followLinks: false` the link.
 *
 * @throws ToolError those of `Roots.existing`; where content is to be read, those of `Roots.openFile` and TOO_LARGE
 */
export async function getFileInfo(files: Files, input: GetFileInfoInput, context: RequestContext): Promise<FileInfo> {
  const entry = await namedEntry(files.roots, input.path);
  const target = entry?.target === undefined ? {} : { target: entry.target };
  if (entry?.isLink === true && !input.followLinks) return { ...described(entry), ...target };
  const found = await files.roots.existing(input.path);
  const content = await contentOf(files, input, { isFile: found.facts.isFile(), context });
  return { ...described(found), ...target, ...content };
}

function described({
  shown,
  facts,
}: {
  readonly shown: string;
  readonly facts: BigIntStats;
}): Omit<FileInfo, 'target' | keyof Content> {
  return {
    path: shown,
    type: entryTypeOf(facts),
    size: Number(facts.size),
    created: isoTime(Number(facts.birthtimeMs)),
    modified: isoTime(Number(facts.mtimeMs)),
    accessed: isoTime(Number(facts.atimeMs)),
    permissions: (Number(facts.mode) & 0o777).toString(8).padStart(3, '0'),
    etag: etagOf(facts),
  };
}

/** Where nothing was asked about the content, one that may not be read is no failure. */
async function contentOf(
  files: Files,
  { path: given, hash = false, lineCount = false }: GetFileInfoInput,
  { isFile, context }: { readonly isFile: boolean; readonly context: RequestContext },
): Promise<Partial<Content>> {
  const isAsked = hash || lineCount;
  if (!isFile && !isAsked) return {};
  try {
    await using file = await files.roots.openFile(given);
    const maxBytes = files.limits.maxHashBytes;
    return await describeContent(file, { given, hash, lineCount, maxBytes, context });
  } catch (error) {
    if (isAsked || !ToolError.is(error)) throw error;
    return {};
  }
}
