import type { BigIntStats } from 'node:fs';

import { Flag, Integer, OneOf, Text, ToolError, type RequestContext } from '@org/mcp-decorators';

import { ENTRY_TYPES, entryTypeOf, type EntryType } from '../entry-type.ts';
import { etagOf } from '../etag.ts';
import type { Files } from '../files.ts';
import { isoTime } from '../text/iso.ts';
import { describeContent, type Content } from './describe-content.ts';
import { namedEntry } from './named-entry.ts';
import { PathInput } from './path-input.ts';

export class GetFileInfoInput extends PathInput {
  @Flag('SHA-256 of the content', { optional: true }) hash?: boolean;
  @Flag({ optional: true }) lineCount?: boolean;
  @Flag('false: describe a link itself') followLinks = true;
}

/** Metadata of a file or directory. */
export class FileInfo {
  @Text() path!: string;
  @OneOf(ENTRY_TYPES) type!: EntryType;
  @Integer('Bytes') size!: number;
  @Text('ISO 8601') created!: string;
  @Text() modified!: string;
  @Text() accessed!: string;
  @Text('Octal, such as 644') permissions!: string;
  @Text() etag!: string;
  @Text('Of a link that leads inside', { optional: true }) target?: string;
  @Text({ optional: true }) mime?: string;
  @Flag({ optional: true }) binary?: boolean;
  @Text({ optional: true }) sha256?: string;
  @Integer({ optional: true }) lineCount?: number;
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
