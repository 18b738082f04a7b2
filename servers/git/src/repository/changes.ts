import { firstThatFit } from '@org/mcp-host';

import { DIFF_FLAGS } from './diff.ts';
import { generatedAmong } from './generated.ts';
import { hiddenSubmodules, isShown } from './hidden-submodules.ts';
import { endOfCharacter } from '../text/end-of-character.ts';
import { DiffReader, type DiffFile, type PatchSection } from './parse/diff.ts';
import { bodyOf } from './parse/fields.ts';
import type { Repository } from './repository.ts';

/** How much of a diff is shown: all of it, lines per file, or what happened to which file. */
export const DIFF_MODES = ['patch', 'stat', 'names'] as const;

export type DiffMode = (typeof DIFF_MODES)[number];

/** A place in a diff. */
export interface DiffPosition {
  readonly path: string;
  /** Bytes to skip at the start of the patch of this file. */
  readonly skip: number;
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
  const { paths, from, mode, fields = 0 } = options;
  const skip = from === undefined ? [] : [`--skip-to=${from.path}`];
  const whole = [...command, ...DIFF_FLAGS, ...flagsOf(options), ...skip];
  const generated = options.excludeGenerated ? await generatedIn(repository, whole, options) : new Set<string>();
  const reader = new DiffReader(fields, (path) => !generated.has(path));
  const ended = await feed(
    repository,
    reader,
    [...whole, '-z', ...OUTPUTS[mode], '--', ...paths],
    options.maxBytes + (from?.skip ?? 0),
  );
  const hidden = await hiddenSubmodules(repository, reader);
  const isConflictWanted = mode === 'patch' && fields === 0 && from === undefined;
  const conflicts = isConflictWanted ? reader.combined.filter((path) => !reader.checkedOut.includes(path)) : [];
  const before = conflicts.length === 0 ? [] : await conflictPatch(repository, whole, conflicts, options.maxBytes);
  const sections = skipped(
    reader.sections.filter((section) => isShown(section, hidden)),
    from,
  );
  return changesOf(reader, [...before, ...sections], {
    ...options,
    maxBytes: Math.min(options.maxBytes, roomBeside(reader.fields, repository.limits.maxBytes)),
    generated,
    hidden,
    ended,
    most: repository.limits.maxEntries,
  });
}

/** Returns the bytes that the fields before a diff, indented by four spaces, leave for it: at least half. */
function roomBeside(fields: readonly string[], maxBytes: number): number {
  return Math.max(Math.floor(maxBytes / 2), maxBytes - Buffer.byteLength(fields.join('\n').replaceAll('\n', '\n    ')));
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

/** As many as are read at once: they are arguments. */
const MAX_CONFLICTS = 100;

/** git leaves the patch of a file with several stages away where it says what happened to it. */
async function conflictPatch(
  repository: Repository,
  command: readonly string[],
  paths: readonly string[],
  maxBytes: number,
): Promise<readonly PatchSection[]> {
  const { stdout, truncated } = await repository.read([...command, '--patch', '--', ...paths.slice(0, MAX_CONFLICTS)], {
    maxBytes,
  });
  const end = truncated ? stdout.lastIndexOf('\n') + 1 : 0;
  return [{ file: undefined, patch: stdout.subarray(0, end === 0 ? stdout.length : end) }];
}

interface Bounds extends ChangesOptions {
  readonly generated: ReadonlySet<string>;
  readonly hidden: ReadonlySet<string>;
  readonly most: number;
  readonly ended: boolean;
}

function changesOf(reader: DiffReader, sections: readonly PatchSection[], bounds: Bounds): Changes {
  const { generated, hidden, most, mode } = bounds;
  const shown = reader.files.filter(({ path }) => !hidden.has(path));
  const all = shown.map((file) => (generated.has(file.path) ? { ...file, excluded: true as const } : file));
  const { next, truncated, ...page } = mode === 'patch' ? patchPage(sections, bounds) : listPage(all, most, bounds.maxBytes);
  // git does not begin the diff of a merge in the middle.
  const isMerge = bounds.fields !== undefined && reader.combined.length > 0;
  return {
    fields: reader.fields,
    files: all.slice(0, most),
    totals: totalsOf(all),
    ...page,
    truncated: truncated || bounds.ended,
    ...(next !== undefined && !isMerge && { next }),
  };
}

type Page = Omit<Changes, 'fields' | 'files' | 'totals'> & Partial<Pick<Changes, 'files'>>;

function listPage(all: readonly ChangedPath[], most: number, maxBytes: number): Page {
  const shown = firstThatFit(all.slice(0, most), maxBytes);
  const next = all[shown.length]?.path;
  return { patch: '', files: shown, truncated: next !== undefined, ...(next !== undefined && { next: { path: next, skip: 0 } }) };
}

/** Removes the part of the first file that an earlier page contained. */
function skipped(sections: readonly PatchSection[], from: DiffPosition | undefined): readonly PatchSection[] {
  const [first, ...others] = sections;
  if (from === undefined || from.skip === 0 || first?.file?.path !== from.path) return sections;
  return [{ ...first, patch: first.patch.subarray(from.skip) }, ...others];
}

function patchPage(sections: readonly PatchSection[], { maxBytes, from }: Pick<ChangesOptions, 'maxBytes' | 'from'>): Page {
  const fits = fittingSections(sections, maxBytes);
  if (fits.length === sections.length) return { patch: textOf(fits), truncated: false };
  const [first] = sections;
  if (fits.length === 0 && first !== undefined) return cutPage(first, { maxBytes, from });
  const next = sections[fits.length]?.file?.path;
  return { patch: textOf(fits), truncated: true, ...(next !== undefined && { next: { path: next, skip: 0 } }) };
}

/** The first file alone is larger than what may be shown: it is cut at a line end, if there is one. */
function cutPage({ file, patch }: PatchSection, { maxBytes, from }: Pick<ChangesOptions, 'maxBytes' | 'from'>): Page {
  const line = patch.lastIndexOf('\n', maxBytes - 1) + 1;
  const end = line === 0 ? endOfCharacter(patch, maxBytes) : line;
  const text = bodyOf(patch.subarray(0, end), line === 0);
  if (file === undefined) return { patch: text, truncated: true };
  const skip = (from?.path === file.path ? from.skip : 0) + end;
  return { patch: text, truncated: true, cut: file.path, next: { path: file.path, skip } };
}

function fittingSections(sections: readonly PatchSection[], maxBytes: number): readonly PatchSection[] {
  let bytes = 0;
  const end = sections.findIndex(({ patch }) => {
    bytes += patch.length;
    return bytes > maxBytes;
  });
  return end === -1 ? sections : sections.slice(0, end);
}

function textOf(sections: readonly PatchSection[]): string {
  return bodyOf(Buffer.concat(sections.map(({ patch }) => patch)));
}

function totalsOf(files: readonly ChangedPath[]): Changes['totals'] {
  const sum = (of: (file: ChangedPath) => number | undefined): number =>
    files.reduce((total, file) => total + (of(file) ?? 0), 0);
  return { files: files.length, added: sum(({ added }) => added), removed: sum(({ removed }) => removed) };
}
