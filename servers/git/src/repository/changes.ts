import { DIFF_FLAGS } from './diff.ts';
import { generatedAmong } from './generated.ts';
import { hiddenSubmodules, isShown } from './hidden-submodules.ts';
import { DiffReader, type DiffFile, type PatchSection } from './parse/diff.ts';
import { bodyOf } from './parse/fields.ts';
import type { Repository } from './repository.ts';

/** How much of a diff is shown: all of it, lines per file, or what happened to which file. */
export const DIFF_MODES = ['patch', 'stat', 'names'] as const;

export type DiffMode = (typeof DIFF_MODES)[number];

/** What of a diff is wanted. */
export interface ChangesOptions {
  readonly mode: DiffMode;
  readonly contextLines: number;
  readonly ignoreWhitespace: boolean;
  readonly excludeGenerated: boolean;
  /** Of the patch. */
  readonly maxBytes: number;
  /** A file of the diff: those before it are left out. */
  readonly from?: string | undefined;
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
  /** The first file that is not shown. */
  readonly next?: string;
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
  const skip = from === undefined ? [] : [`--skip-to=${from}`];
  const whole = [...command, ...DIFF_FLAGS, ...flagsOf(options), ...skip];
  const generated = options.excludeGenerated ? await generatedIn(repository, whole, options) : new Set<string>();
  const reader = new DiffReader(fields, (path) => !generated.has(path));
  const ended = await feed(repository, reader, [...whole, '-z', ...OUTPUTS[mode], '--', ...paths], options.maxBytes);
  const hidden = await hiddenSubmodules(repository, reader);
  const isConflictWanted = mode === 'patch' && fields === 0 && from === undefined;
  const conflicts = isConflictWanted ? reader.combined.filter((path) => !reader.checkedOut.includes(path)) : [];
  const before = conflicts.length === 0 ? [] : await conflictPatch(repository, whole, conflicts, options.maxBytes);
  const sections = reader.sections.filter((section) => isShown(section, hidden));
  return changesOf(reader, [...before, ...sections], {
    ...options,
    generated,
    hidden,
    ended,
    most: repository.limits.maxEntries,
  });
}

function flagsOf({ contextLines, ignoreWhitespace }: ChangesOptions): readonly string[] {
  return [`--unified=${contextLines}`, ...(ignoreWhitespace ? ['--ignore-all-space'] : [])];
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
  const { next, truncated, ...page } = mode === 'patch' ? patchPage(sections, all, bounds.maxBytes) : listPage(all, most);
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

type Page = Omit<Changes, 'fields' | 'files' | 'totals'>;

function listPage(all: readonly ChangedPath[], most: number): Page {
  const next = all[most]?.path;
  return { patch: '', truncated: next !== undefined, ...(next !== undefined && { next }) };
}

function patchPage(sections: readonly PatchSection[], all: readonly ChangedPath[], maxBytes: number): Page {
  const fitting = fittingSections(sections, maxBytes);
  if (fitting.length === sections.length) return { patch: textOf(fitting), truncated: false };
  const [first] = sections;
  if (fitting.length === 0 && first !== undefined) return cutPage(first, all, maxBytes);
  const next = sections[fitting.length]?.file?.path;
  return { patch: textOf(fitting), truncated: true, ...(next !== undefined && { next }) };
}

/** The first file alone is larger than what may be shown: it is cut at a line end, if there is one. */
function cutPage({ file, patch }: PatchSection, all: readonly ChangedPath[], maxBytes: number): Page {
  const end = patch.lastIndexOf('\n', maxBytes - 1) + 1;
  const text = bodyOf(patch.subarray(0, end === 0 ? maxBytes : end), end === 0);
  if (file === undefined) return { patch: text, truncated: true };
  const position = all.findIndex(({ path }) => path === file.path);
  const next = all.slice(position + 1).find(({ excluded }) => excluded !== true)?.path;
  return { patch: text, truncated: true, cut: file.path, ...(next !== undefined && { next }) };
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
