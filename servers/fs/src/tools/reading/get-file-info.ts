import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import path from 'node:path';

import { Flag, Integer, OneOf, Result, Text, ToolError, type RequestContext } from '@org/mcp-decorators';
import { quotePath, type OpenFile, type Roots } from '@org/mcp-roots';

import { ENTRY_TYPES, toEntryType, type EntryType } from '../../storage/entry-type.ts';
import { computeEtag } from '../../storage/etag.ts';
import { detectKind, KIND_SAMPLE, type Kind } from '../../text/content-kind.ts';
import { detectEncoding } from '../../text/read-text.ts';
import type { Encoding } from '../../text/encoding.ts';
import { formatTime, visibleName } from '../../text/format.ts';
import { endsLine, selectLineEnds, skipLinesInBytes } from '../../text/lines.ts';
import { readChunks } from '../../text/read-chunks.ts';
import type { Files } from '../files.ts';
import { PathInput } from '../path-input.ts';

export class GetFileInfoInput extends PathInput {
  @Flag('SHA-256 of the content', { optional: true }) hash?: boolean;
  @Flag('Count the lines', { optional: true }) lineCount?: boolean;
  @Flag('false: describe a link itself') followLinks = true;
}

/** Metadata of a file or directory. */
export class FileInfo {
  @Text() path!: string;
  @OneOf(ENTRY_TYPES) type!: EntryType;
  @Integer() size!: number;
  @Text() created!: string;
  @Text() modified!: string;
  @Text() accessed!: string;
  @Text() permissions!: string;
  @Text() etag!: string;
  @Text({ optional: true }) target?: string;
  @Text({ optional: true }) mime?: string;
  @Flag({ optional: true }) binary?: boolean;
  @Text({ optional: true }) sha256?: string;
  @Integer({ optional: true }) lineCount?: number;
}

/**
 * Describes a file or directory. For a symbolic link, describes its target, or the link itself with `followLinks: false`.
 *
 * @throws ToolError the codes of `Roots.resolveExisting`; if the content is read, the codes of `Roots.openFile` and TOO_LARGE
 */
export async function getFileInfo(files: Files, input: GetFileInfoInput, context: RequestContext): Promise<FileInfo> {
  const entry = await readEntry(files.roots, input.path);
  const target = entry?.target === undefined ? {} : { target: entry.target };
  if (entry?.isLink === true && !input.followLinks) return { ...describeFacts(entry), ...target };
  const file = await describeFile(files, input, context);
  return { ...(file ?? describeFacts(await files.roots.resolveExisting(input.path))), ...target };
}

/** An entry of a directory; a symbolic link is not followed. */
interface LinkOrFile {
  /** The path that clients see. */
  readonly shown: string;
  readonly facts: BigIntStats;
  readonly isLink: boolean;
  /** Text of a symbolic link whose target the call may access; `undefined` for any other entry. */
  readonly target: string | undefined;
}

const NO_NAMES: readonly string[] = ['', '.', '..'];

/**
 * Describes an entry without following a link. Returns `undefined` for a path without a last name and for a missing entry. Also
 * returns `undefined` for an entry that the call may not access itself, such as a root.
 */
async function readEntry(roots: Roots, given: string): Promise<LinkOrFile | undefined> {
  if (NO_NAMES.includes(path.basename(given))) return undefined;
  try {
    await using entry = await roots.findEntry(given);
    const { shown, facts, directory } = entry;
    if (facts === undefined) return undefined;
    const isLink = facts.isSymbolicLink();
    return { shown, facts, isLink, target: isLink ? await directory.linkTarget(entry.name) : undefined };
  } catch (error) {
    if (ToolError.is(error)) return undefined;
    throw error;
  }
}

/** Facts about a file that require its content. */
interface ContentFacts extends Kind {
  readonly sha256?: string;
  readonly lineCount?: number;
}

function describeFacts({ shown, facts }: Pick<LinkOrFile, 'shown' | 'facts'>): Omit<FileInfo, 'target' | keyof ContentFacts> {
  return {
    path: shown,
    type: toEntryType(facts),
    size: Number(facts.size),
    created: formatTime(Number(facts.birthtimeMs)),
    modified: formatTime(Number(facts.mtimeMs)),
    accessed: formatTime(Number(facts.atimeMs)),
    permissions: (Number(facts.mode) & 0o777).toString(8).padStart(3, '0'),
    etag: computeEtag(facts),
  };
}

/**
 * Describes a file with facts about its content. Returns `undefined` for a directory or an unreadable file.
 *
 * @throws ToolError instead of `undefined` if the caller requested the hash or the number of lines
 */
async function describeFile(
  files: Files,
  { path: given, hash = false, lineCount = false }: GetFileInfoInput,
  context: RequestContext,
): Promise<FileInfo | undefined> {
  try {
    await using file = await files.roots.openFile(given);
    const maxBytes = files.limits.maxHashBytes;
    return { ...describeFacts(file), ...(await describeContent(file, { given, hash, lineCount, maxBytes, context })) };
  } catch (error) {
    if (hash || lineCount || !ToolError.is(error)) throw error;
    return undefined;
  }
}

interface ContentOptions {
  /** The path as the caller wrote it, for error messages. */
  readonly given: string;
  readonly hash: boolean;
  readonly lineCount: boolean;
  readonly maxBytes: number;
  readonly context: Pick<RequestContext, 'signal' | 'progress'>;
}

/**
 * Returns facts about the content of a file. Reads the whole file only for a hash or a line count.
 *
 * @throws ToolError TOO_LARGE if a file that must be read whole has more than `maxBytes`
 */
async function describeContent(file: OpenFile, options: ContentOptions): Promise<ContentFacts> {
  const { given, hash, lineCount, maxBytes } = options;
  const sample = await file.readAt(0, KIND_SAMPLE);
  const isWhole = sample.length < KIND_SAMPLE;
  const kind = await detectKind(sample, isWhole, file.shown);
  if (!hash && !lineCount) return kind;
  if (file.size > maxBytes) throw tooLarge(given, file.size, maxBytes);
  return { ...kind, ...(await readThrough(file, detectEncoding(sample, isWhole) ?? 'utf-8', options)) };
}

async function readThrough(
  file: OpenFile,
  encoding: Encoding,
  { hash, lineCount, maxBytes, context }: ContentOptions,
): Promise<Omit<ContentFacts, keyof Kind>> {
  const ends = selectLineEnds(encoding);
  const digest = createHash('sha256');
  let lines = 0;
  let bytes = 0;
  let isEnded = true;
  for await (const chunk of readChunks(file, { until: maxBytes, signal: context.signal })) {
    if (hash) digest.update(chunk);
    if (lineCount) lines += skipLinesInBytes(chunk, Number.POSITIVE_INFINITY, ends).lines;
    isEnded = endsLine(chunk, ends);
    bytes += chunk.length;
    context.progress(bytes, file.size);
  }
  return { ...(hash && { sha256: digest.digest('hex') }), ...(lineCount && { lineCount: lines + (isEnded ? 0 : 1) }) };
}

function tooLarge(given: string, bytes: number, maxBytes: number): ToolError {
  return new ToolError(
    'TOO_LARGE',
    `${quotePath(given)} has ${bytes} bytes; the limit for hash and lineCount is ${maxBytes} bytes`,
    {
      hint: 'the operator can raise the limit with --max-hash-bytes',
    },
  );
}

/**
 * Creates a result whose text has one line for each fact. The text contains `isDirectory` and `isFile`, because the reference
 * server returns them.
 */
export function fileInfoResult(info: FileInfo): Result {
  const { path: shown, type, ...others } = info;
  const facts = { path: shown, type, isDirectory: type === 'directory', isFile: type === 'file', ...others };
  const lines = Object.entries(facts).map(
    ([name, value]) => `${name}: ${name === 'path' || name === 'target' ? visibleName(String(value)) : value}`,
  );
  return Result.of(info, lines.join('\n'));
}
