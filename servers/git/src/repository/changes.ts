import { ToolError } from '@org/mcp-decorators';

import { namesPage, patchPage } from './changes-page.ts';
import { DIFF_FLAGS } from './diff.ts';
import { generatedAmong } from './generated.ts';
import { hiddenSubmodules, isShown } from './hidden-submodules.ts';
import { DiffReader, type DiffFile } from './parse/diff.ts';
import type { PatchSection } from './parse/patch.ts';
import type { Repository } from './repository.ts';

/** How much of a diff is shown: all of it, lines per file, or what happened to which file. */
export const DIFF_MODES = ['patch', 'stat', 'names'] as const;

export type DiffMode = (typeof DIFF_MODES)[number];

/** A place in a diff. */
export interface DiffPosition {
  readonly path: string;
  /** Bytes to skip at the start of the patch of this file. */
  readonly skip: number;
  /** The file differs from several others, as in a merge or a conflict: git cannot begin at it. */
  readonly combined: boolean;
}

/** What of a diff is wanted. */
export interface ChangesOptions {
  readonly mode: DiffMode;
  readonly contextLines: number;
  readonly ignoreWhitespace: boolean;
  readonly excludeGenerated: boolean;
  /** Of the patch. */
  readonly maxBytes: number;
  /** Where the diff begins. */
  readonly from?: DiffPosition | undefined;
  /** Relative to the top; none: all. */
  readonly paths: readonly string[];
  /** That the command writes before the diff, each ended by NUL. */
  readonly fields?: number;
  /** Bytes of text that the result contains in addition to the fields; at most a quarter of the limit. */
  readonly beside?: number;
}

/** A file of a diff, and whether its patch was left out because it is generated. */
export interface ChangedPath extends DiffFile {
  readonly excluded?: true;
}

/** A diff, or as many of its files as fit. */
export interface Changes {
  readonly fields: readonly string[];
  /** From the first one shown to the last one of the diff, at most `maxEntries`. */
  readonly files: readonly ChangedPath[];
  readonly totals: { readonly files: number; readonly added: number; readonly removed: number };
  /** Whole files, unless the first alone is too large. */
  readonly patch: string;
  readonly truncated: boolean;
  /** The file whose patch was cut within. */
  readonly cut?: string;
  /** The position after the last byte shown. */
  readonly next?: DiffPosition;
}

const OUTPUTS: Readonly<Record<DiffMode, readonly string[]>> = {
  patch: ['--raw', '--numstat', '--patch'],
  stat: ['--raw', '--numstat'],
  names: ['--raw'],
};

/**
 * Runs a diff in one process, which is ended as soon as there is enough of the patch; two more find out what is generated, and
 * one shows files in conflict.
 *
 * @param command of git, with oids and flags of ours alone
 */
export async function readChanges(repository: Repository, command: readonly string[], options: ChangesOptions): Promise<Changes> {
  const { paths, from, mode } = options;
  const skip = from === undefined || from.combined ? [] : [`--skip-to=${from.path}`];
  const whole = [...command, ...DIFF_FLAGS, ...flagsOf(options), ...skip];
  const generated = options.excludeGenerated ? await generatedIn(repository, whole, options) : new Set<string>();
  let earlier: ReadonlySet<string> | undefined;
  const reader: DiffReader = new DiffReader(options.fields, (path) => {
    earlier ??= earlierFiles(reader.files, from);
    return !generated.has(path) && !earlier.has(path);
  });
  const maxBytes = options.maxBytes + (from?.skip ?? 0);
  const ended = await feed(repository, reader, [...whole, '-z', ...OUTPUTS[mode], '--', ...paths], maxBytes);
  const hidden = await hiddenSubmodules(repository, reader);
  const before = hasConflicts(reader, options)
    ? await conflictPatch(repository, [...whole, '--patch', '--', ...paths], { reader, maxBytes })
    : [];
  return changesOf(reader, [...before, ...reader.sections.filter((section) => isShown(section, hidden))], {
    ...options,
    maxBytes: Math.min(options.maxBytes, roomBeside(reader.fields, options.beside ?? 0, repository.limits.maxBytes)),
    generated,
    hidden,
    ended,
    most: repository.limits.maxEntries,
  });
}

/** Whether git left patches away that are wanted here: they precede those of all other files. */
function hasConflicts({ combined }: DiffReader, { mode, fields = 0, from }: ChangesOptions): boolean {
  return mode === 'patch' && fields === 0 && (from === undefined || from.combined) && combined.length > 0;
}

/** Returns the bytes that the text before a diff leaves for it, at least half; the fields are indented by four spaces. */
function roomBeside(fields: readonly string[], beside: number, maxBytes: number): number {
  const before = beside + Buffer.byteLength(fields.join('\n').replaceAll('\n', '\n    '));
  return Math.max(Math.floor(maxBytes / 2), maxBytes - before);
}

function flagsOf({ mode, contextLines, ignoreWhitespace }: ChangesOptions): readonly string[] {
  // The flag implies a patch, which would count as output.
  const context = mode === 'patch' ? [`--unified=${contextLines}`] : [];
  return [...context, ...(ignoreWhitespace ? ['--ignore-all-space'] : [])];
}

/** More files than a diff that somebody reads has. */
const MAX_FILES = 200_000;

/** Resolves to whether git was ended before it had said all. */
async function feed(repository: Repository, reader: DiffReader, command: readonly string[], maxBytes: number): Promise<boolean> {
  const { truncated } = await repository.read(command, {
    onOutput: (chunk) => reader.feed(chunk),
    isEnough: () => reader.bytes > maxBytes || reader.count > MAX_FILES,
  });
  if (!truncated) reader.finish();
  return truncated;
}

async function generatedIn(
  repository: Repository,
  command: readonly string[],
  { fields = 0, paths }: ChangesOptions,
): Promise<ReadonlySet<string>> {
  const reader = new DiffReader(fields);
  await feed(repository, reader, [...command, '-z', '--raw', '--', ...paths], 0);
  return generatedAmong(
    repository,
    reader.files.map(({ path }) => path),
  );
}

/**
 * git leaves the patch of a file with several stages away where it says what happened to it. Without that it writes the patches
 * of these files first: git is ended after them, or as soon as there is enough.
 */
async function conflictPatch(
  repository: Repository,
  command: readonly string[],
  { reader, maxBytes }: { readonly reader: DiffReader; readonly maxBytes: number },
): Promise<readonly PatchSection[]> {
  const combined = new Set(reader.combined);
  const hidden = new Set(reader.checkedOut);
  const patch = reader.patchReader((path) => combined.has(path) && !hidden.has(path));
  const { truncated } = await repository.read(command, {
    onOutput: (chunk) => patch.feed(chunk),
    isEnough: () => patch.bytes > maxBytes || (patch.file !== undefined && !combined.has(patch.file.path)),
  });
  if (!truncated) patch.finish();
  return patch.sections.filter(({ file }) => file !== undefined);
}

interface Bounds extends ChangesOptions {
  readonly generated: ReadonlySet<string>;
  readonly hidden: ReadonlySet<string>;
  readonly most: number;
  readonly ended: boolean;
}

function changesOf(reader: DiffReader, sections: readonly PatchSection[], bounds: Bounds): Changes {
  const { generated, hidden, most, mode, maxBytes, from } = bounds;
  const shown = reader.files.slice(positionIn(reader.files, from)).filter(({ path }) => !hidden.has(path));
  const all = shown.map((file) => (generated.has(file.path) ? { ...file, excluded: true as const } : file));
  const combined = new Set(reader.combined);
  const { next, truncated, ...page } =
    mode === 'patch' ? patchPage(sections, { maxBytes, from }) : namesPage(all, most, maxBytes);
  return {
    fields: reader.fields,
    files: all.slice(0, most),
    totals: totalsOf(all),
    ...page,
    truncated: truncated || bounds.ended,
    ...(next !== undefined && { next: { ...next, combined: combined.has(next.path) } }),
  };
}

/** Returns the files of earlier pages. It does not throw while git writes: an unknown cursor is rejected afterwards. */
function earlierFiles(files: readonly DiffFile[], from: DiffPosition | undefined): ReadonlySet<string> {
  const position = files.findIndex(({ path }) => path === from?.path);
  return new Set(files.slice(0, Math.max(position, 0)).map(({ path }) => path));
}

/** Where the files of a page begin: git names every file again whose diff it cannot begin at. @throws ToolError INVALID_ARGUMENTS */
function positionIn(files: readonly DiffFile[], from: DiffPosition | undefined): number {
  const position = from === undefined ? 0 : files.findIndex(({ path }) => path === from.path);
  if (position !== -1) return position;
  throw new ToolError('INVALID_ARGUMENTS', 'the cursor names no file of this diff', { hint: 'leave it out to begin again' });
}

function totalsOf(files: readonly ChangedPath[]): Changes['totals'] {
  const sum = (of: (file: ChangedPath) => number | undefined): number =>
    files.reduce((total, file) => total + (of(file) ?? 0), 0);
  return { files: files.length, added: sum(({ added }) => added), removed: sum(({ removed }) => removed) };
}
