import path from 'node:path';

import { Flag, Result, Text, ToolError, type RequestContext } from '@org/mcp-decorators';
import { GlobError, parsePath, quotePath } from '@org/mcp-roots';

import { EntryNames, invalidArchive, parseEntryName, type ArchiveEntry } from '../../archives/archive-entry.ts';
import { readArchive } from '../../archives/read-archive.ts';
import { createSteps } from '../../rewind/create-steps.ts';
import { makeSteps } from '../../rewind/make-steps.ts';
import { VirtualFiles } from '../../rewind/virtual-files.ts';
import { compileExcluder } from '../../walk/globs.ts';
import { DEFAULT_MODE } from '../../journal/snapshot.ts';
import { changeResult } from '../changing/change-result.ts';
import { GlobsField } from '../fields.ts';
import type { Files } from '../files.ts';
import { formatCount } from '../notes.ts';
import { PathInput } from '../path-input.ts';

const FILE_MODE = 0o644;
const EXECUTABLE_MODE = 0o755;

export class ExtractArchiveInput extends PathInput {
  @Text('Directory; created if missing') destination!: string;
  @GlobsField('Globs of entries; default: all') include?: string[];
  @Flag('Replace existing files', { optional: true }) overwrite?: boolean;
}

/** An extracted archive. */
export interface ExtractedArchive {
  /** Path of the destination. */
  readonly path: string;
  /** Number of extracted files. */
  readonly files: number;
  readonly bytes: number;
  /** Paths of the extracted files, including files that already had the same content. */
  readonly written: readonly string[];
  /** Id with which undo_change undoes the extraction; absent if nothing was changed. */
  readonly undoId?: string;
}

/**
 * Extracts files and directories of a ZIP or tar archive as one change, all or none. An entry that would be written outside the
 * destination, a selected link or device, and two selected entries of one name are rejected.
 *
 * @throws ToolError INVALID_ARCHIVE, INVALID_ARGUMENTS, TOO_LARGE, ALREADY_EXISTS, NOT_DIRECTORY, READ_ONLY, DENIED_BY_POLICY,
 * CONFLICT, TIMEOUT, NO_SPACE, IO, and the codes of `Roots.openFile`
 */
export async function extractArchive(
  files: Files,
  input: ExtractArchiveInput,
  context: RequestContext,
): Promise<ExtractedArchive> {
  const { signal } = context;
  const { roots, limits } = files;
  const destination = await resolveDestination(files, input.destination);
  const maxEntries = limits.maxArchiveEntries * 2;
  const virtual = new VirtualFiles({ roots, signal, maxEntries });
  await using file = await roots.openFile(input.path);
  // All entries are checked before any content is stored.
  const places = await planExtraction(readArchive(file, input.path, limits, signal), { input, destination, virtual });
  const bytes = await storeContents(files, readArchive(file, input.path, limits, signal), { places, virtual, context });
  const written = [...places.values()];
  const extracted = { path: destination, files: written.length, bytes, written };
  const { steps } = await createSteps(virtual);
  requireFewSteps(steps.length, limits);
  if (steps.length === 0) return extracted;
  const onProgress = (done: number, total: number): void => context.progress(places.size + done, places.size + total);
  const request = { tool: 'extract_archive', files: virtual, steps, maxEntries, storedBytes: bytes, signal, onProgress };
  return { ...extracted, undoId: await makeSteps(files, request) };
}

interface Extraction {
  readonly input: ExtractArchiveInput;
  readonly destination: string;
  readonly virtual: VirtualFiles;
}

/**
 * Checks all entries and adds their directories to the virtual files. Returns the paths of the files by the positions of their
 * entries.
 */
async function planExtraction(
  entries: AsyncIterable<ArchiveEntry>,
  { input, destination, virtual }: Extraction,
): Promise<ReadonlyMap<number, string>> {
  const isIncluded = compileInclude(input.include);
  const names = new EntryNames();
  const places = new Map<number, string>();
  let index = -1;
  for await (const { name, type } of entries) {
    index += 1;
    const parts = parseEntryName(name);
    if (!isIncluded(parts.join('/'))) continue;
    if (type === 'link' || type === 'other') throw invalidArchive(name, `is a ${type === 'link' ? 'link' : 'special file'}`);
    names.add(parts, type);
    const place = path.join(destination, ...parts);
    for (const above of listDirectoriesAbove(destination, place)) await addDirectory(virtual, above);
    if (type === 'directory') {
      await addDirectory(virtual, place);
      continue;
    }
    await requireFree(virtual, place, input.overwrite === true);
    places.set(index, place);
  }
  return places;
}

function requireFewSteps(count: number, { maxRewindFiles }: Files['limits']): void {
  if (count <= maxRewindFiles) return;
  const added = `the archive would add ${count} files and directories to existing directories; the limit is ${maxRewindFiles}`;
  throw new ToolError('TOO_LARGE', added, {
    hint: 'nothing was extracted; extract into a new directory, or ask the operator to raise --max-rewind-files',
  });
}

function compileInclude(include: readonly string[] | undefined): (relative: string) => boolean {
  if (include === undefined || include.length === 0) return () => true;
  try {
    const matches = compileExcluder(include);
    return (relative) => matches(relative, path.posix.basename(relative));
  } catch (error) {
    throw error instanceof GlobError ? new ToolError('INVALID_ARGUMENTS', `include: ${error.message}`) : error;
  }
}

/** Returns the absolute path of an existing or missing directory. @throws ToolError the codes of `Roots.openDirectoryIfExists` */
async function resolveDestination({ roots }: Files, given: string): Promise<string> {
  const [first] = roots.directories;
  const absolute = path.resolve(first?.path ?? '/', parsePath(given));
  let missing = '';
  for (let current = absolute; ; current = path.dirname(current)) {
    await using directory = await roots.openDirectoryIfExists(current);
    if (directory !== undefined) return path.join(directory.shown, missing);
    missing = path.join(path.basename(current), missing);
  }
}

async function requireFree(virtual: VirtualFiles, place: string, overwrite: boolean): Promise<void> {
  const { type } = await virtual.readDisk(place);
  if (type === 'none' || (type === 'file' && overwrite)) return;
  throw new ToolError('ALREADY_EXISTS', `${quotePath(place)} already exists`, {
    hint: `nothing was extracted; ${type === 'file' ? 'overwrite replaces files' : 'only a file can be replaced by a file'}`,
  });
}

interface PlannedExtraction {
  /** Paths of the files by the positions of their entries. */
  readonly places: ReadonlyMap<number, string>;
  readonly virtual: VirtualFiles;
  readonly context: RequestContext;
}

/** Stores the contents of all files, reports the number of files as progress, and resolves to the size of the contents. */
async function storeContents(
  files: Files,
  entries: AsyncIterable<ArchiveEntry>,
  { places, virtual, context }: PlannedExtraction,
): Promise<number> {
  let bytes = 0;
  let index = -1;
  let stored = 0;
  for await (const entry of entries) {
    index += 1;
    context.signal.throwIfAborted();
    const place = places.get(index);
    if (place === undefined) continue;
    bytes += await storeContent(files, virtual, { entry, place });
    stored += 1;
    context.progress(stored, places.size);
  }
  return bytes;
}

/** Stores the content of an entry in the journal, and adds its file to the virtual files. Resolves to the size of the content. */
async function storeContent(
  { changes }: Files,
  virtual: VirtualFiles,
  { entry, place }: { readonly entry: ArchiveEntry; readonly place: string },
): Promise<number> {
  const found = await virtual.readDisk(place);
  const mode = found.type === 'file' ? found.mode : entry.isExecutable ? EXECUTABLE_MODE : FILE_MODE;
  const hash = await changes.journal.contents.keepParts(entry.read());
  await virtual.set(place, { type: 'file', hash, size: entry.bytes, mode });
  return entry.bytes;
}

function listDirectoriesAbove(destination: string, place: string): readonly string[] {
  const names = path
    .relative(destination, path.dirname(place))
    .split(path.sep)
    .filter((name) => name !== '');
  return [destination, ...names.map((_, index) => path.join(destination, ...names.slice(0, index + 1)))];
}

async function addDirectory(virtual: VirtualFiles, place: string): Promise<void> {
  const found = await virtual.get(place);
  if (found.type === 'directory') return;
  if (found.type !== 'none')
    throw new ToolError('NOT_DIRECTORY', `${quotePath(place)} is not a directory`, { hint: 'nothing was extracted' });
  await virtual.set(place, { type: 'directory', mode: DEFAULT_MODE });
}

export function extractedArchiveResult(extracted: ExtractedArchive): Result {
  const { written, ...facts } = extracted;
  const { path: place, files, bytes, undoId } = facts;
  const done = `${formatCount(files, 'file', 'files')} (${bytes} bytes)`;
  return changeResult(facts, undoId === undefined ? describeUnchanged(files, done) : `Extracted ${done} to ${place}`, written);
}

function describeUnchanged(files: number, done: string): string {
  const reason = files === 0 ? 'no files to extract' : `all selected files already exist with the same content (${done})`;
  return `Nothing was changed: ${reason}`;
}
