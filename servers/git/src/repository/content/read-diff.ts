import { basename } from 'node:path/posix';

import { ToolError } from '@org/mcp-decorators';

import { DiffReader } from '../parse/diff-reader.ts';
import type { DiffFile, PatchSection } from '../parse/patch-reader.ts';
import type { Repository } from '../repository.ts';
import { readSubmoduleCommit } from '../work-tree/submodules.ts';
import { decodeNames, groupFields } from '../parse/fields.ts';
import { encodePathList } from '../parse/path-bytes.ts';
import { DIFF_FLAGS } from './diff-flags.ts';
import { pageNames, pagePatch, type ChangedPath, type DiffPage, type DiffPosition } from './diff-page.ts';

/** patch: the full diff; stat: counts of lines per file; names: only the kind of change per file. */
export const DIFF_MODES = ['patch', 'stat', 'names'] as const;

export type DiffMode = (typeof DIFF_MODES)[number];

/** Options for {@link readDiff}. */
export interface DiffOptions {
  readonly mode: DiffMode;
  readonly contextLines: number;
  readonly ignoreWhitespace: boolean;
  readonly excludeGenerated: boolean;
  /** Maximum size of the patch in bytes. */
  readonly maxBytes: number;
  /** Position at which the page starts; by default the start of the diff. */
  readonly from?: DiffPosition | undefined;
  /** Paths relative to the top of the work tree; empty for all files. */
  readonly paths: readonly string[];
  /** Number of NUL-terminated fields that the command writes before the diff. */
  readonly fields?: number;
  /** Number of bytes of text that the result contains in addition to the fields; at most a quarter of the byte limit of a result. */
  readonly beside?: number;
}

/** A diff, or the part of a diff that fits into one result. */
export interface Diff extends Omit<DiffPage, 'files' | 'next'> {
  readonly fields: readonly string[];
  /**
   * In the mode `patch`, the files from the first one shown to the end of the diff, at most `maxEntries`. In the other modes, the
   * files of this page.
   */
  readonly files: readonly ChangedPath[];
  readonly totals: { readonly files: number; readonly added: number; readonly removed: number };
  /** Start of the next page; absent if the diff is complete, or if the next file is unknown. */
  readonly next?: DiffPosition;
}

const OUTPUTS: Readonly<Record<DiffMode, readonly string[]>> = {
  patch: ['--raw', '--numstat', '--patch'],
  stat: ['--raw', '--numstat'],
  names: ['--raw'],
};

/**
 * Reads a diff from one process, which is ended as soon as the page is full. If generated files are excluded, up to two more
 * processes detect these files. If files are in conflict, another process reads their patches.
 *
 * @param command git command that contains only object names and flags that this server chose
 */
export async function readDiff(repository: Repository, command: readonly string[], options: DiffOptions): Promise<Diff> {
  const { paths, from, mode } = options;
  const skip = from === undefined || from.combined ? [] : [`--skip-to=${from.path}`];
  const whole = [...command, ...DIFF_FLAGS, ...buildFlags(options), ...skip];
  const generated = options.excludeGenerated ? await findGeneratedInDiff(repository, whole, options) : new Set<string>();
  let earlier: ReadonlySet<string> | undefined;
  const reader: DiffReader = new DiffReader(options.fields, (path) => {
    earlier ??= listEarlierFiles(reader.files, from);
    return !generated.has(path) && !earlier.has(path);
  });
  const maxBytes = options.maxBytes + (from?.skip ?? 0);
  const ended = await feed(repository, reader, [...whole, '-z', ...OUTPUTS[mode], '--', ...paths], maxBytes);
  const hidden = await findHiddenSubmodules(repository, reader);
  const before = needsConflictPatch(reader, options)
    ? await readConflictPatch(repository, [...whole, '--patch', '--', ...paths], { reader, maxBytes })
    : [];
  return buildDiff(reader, [...before, ...reader.sections.filter((section) => isShown(section, hidden))], {
    ...options,
    maxBytes: Math.min(options.maxBytes, measureRoom(reader.fields, options.beside ?? 0, repository.limits.maxBytes)),
    generated,
    hidden,
    ended,
    most: repository.limits.maxEntries,
  });
}

/**
 * Whether a separate process must read the combined diffs of files in conflict. Combined diffs precede all other patches, so a
 * page that starts in another patch contains none.
 */
function needsConflictPatch({ combined }: DiffReader, { mode, fields = 0, from }: DiffOptions): boolean {
  return mode === 'patch' && fields === 0 && (from === undefined || from.combined) && combined.length > 0;
}

/**
 * Returns the number of bytes that the text before a diff leaves for the diff, at least half of `maxBytes`. The result indents
 * each line of the fields by four spaces.
 */
function measureRoom(fields: readonly string[], beside: number, maxBytes: number): number {
  const before = beside + Buffer.byteLength(fields.join('\n').replaceAll('\n', '\n    '));
  return Math.max(Math.floor(maxBytes / 2), maxBytes - before);
}

function buildFlags({ mode, contextLines, ignoreWhitespace }: DiffOptions): readonly string[] {
  // `--unified` implies a patch, so the flag is used only in the mode `patch`.
  const context = mode === 'patch' ? [`--unified=${contextLines}`] : [];
  return [...context, ...(ignoreWhitespace ? ['--ignore-all-space'] : [])];
}

/** Maximum number of files in a diff. If a diff has more files, git is ended. */
const MAX_FILES = 200_000;

/** Feeds the output of git to a reader. Resolves to `true` if git was ended at a limit. */
async function feed(repository: Repository, reader: DiffReader, command: readonly string[], maxBytes: number): Promise<boolean> {
  const { isTruncated } = await repository.read(command, {
    onOutput: (chunk) => reader.feed(chunk),
    isEnough: () => reader.bytes > maxBytes || reader.count > MAX_FILES,
  });
  if (!isTruncated) reader.finish();
  return isTruncated;
}

async function findGeneratedInDiff(
  repository: Repository,
  command: readonly string[],
  { fields = 0, paths }: DiffOptions,
): Promise<ReadonlySet<string>> {
  const reader = new DiffReader(fields);
  await feed(repository, reader, [...command, '-z', '--raw', '--', ...paths], 0);
  return findGeneratedFiles(
    repository,
    reader.files.map(({ path }) => path),
  );
}

/**
 * Reads the patches of files in conflict. Git omits these patches from output that also lists the changed files. In other output,
 * they come first, so git is ended after the last of these patches or as soon as the page is full.
 */
async function readConflictPatch(
  repository: Repository,
  command: readonly string[],
  { reader, maxBytes }: { readonly reader: DiffReader; readonly maxBytes: number },
): Promise<readonly PatchSection[]> {
  const combined = new Set(reader.combined);
  const hidden = new Set(reader.checkedOut);
  const patch = reader.patchReader((path) => combined.has(path) && !hidden.has(path));
  const { isTruncated } = await repository.read(command, {
    onOutput: (chunk) => patch.feed(chunk),
    isEnough: () => patch.bytes > maxBytes || (patch.file !== undefined && !combined.has(patch.file.path)),
  });
  if (!isTruncated) patch.finish();
  return patch.sections.filter(({ file }) => file !== undefined);
}

interface Bounds extends DiffOptions {
  readonly generated: ReadonlySet<string>;
  readonly hidden: ReadonlySet<string>;
  readonly most: number;
  readonly ended: boolean;
}

function buildDiff(reader: DiffReader, sections: readonly PatchSection[], bounds: Bounds): Diff {
  const { generated, hidden, most, mode, maxBytes, from } = bounds;
  const shown = reader.files.slice(findPosition(reader.files, from)).filter(({ path }) => !hidden.has(path));
  const all = shown.map((file) => (generated.has(file.path) ? { ...file, excluded: true as const } : file));
  const combined = new Set(reader.combined);
  const { next, truncated, ...page } =
    mode === 'patch' ? pagePatch(sections, { maxBytes, from }) : pageNames(all, most, maxBytes);
  return {
    fields: reader.fields,
    files: all.slice(0, most),
    totals: sumTotals(all),
    ...page,
    truncated: truncated || bounds.ended,
    ...(next !== undefined && { next: { ...next, combined: combined.has(next.path) } }),
  };
}

/**
 * Returns the files of earlier pages. For an unknown cursor, returns no files: {@link findPosition} rejects the cursor after all
 * output of git was read.
 */
function listEarlierFiles(files: readonly DiffFile[], from: DiffPosition | undefined): ReadonlySet<string> {
  const position = files.findIndex(({ path }) => path === from?.path);
  return new Set(files.slice(0, Math.max(position, 0)).map(({ path }) => path));
}

/**
 * Returns the index of the first file of a page in `files`. If the page starts in a combined diff, `files` contains all files.
 *
 * @throws ToolError INVALID_ARGUMENTS if `files` does not contain the file at which the page starts
 */
function findPosition(files: readonly DiffFile[], from: DiffPosition | undefined): number {
  const position = from === undefined ? 0 : files.findIndex(({ path }) => path === from.path);
  if (position !== -1) return position;
  throw new ToolError('INVALID_ARGUMENTS', 'the cursor is not valid for this diff', { hint: 'omit the cursor to start again' });
}

function sumTotals(files: readonly ChangedPath[]): Diff['totals'] {
  const sum = (of: (file: ChangedPath) => number | undefined): number =>
    files.reduce((total, file) => total + (of(file) ?? 0), 0);
  return { files: files.length, added: sum(({ added }) => added), removed: sum(({ removed }) => removed) };
}

const SHOWN = /^\+Subproject commit (.+)$/gm;

/**
 * Finds submodules that a diff must not show. Git follows the `.git` file of a submodule to any directory, so the commit in the
 * diff may belong to a repository outside the roots.
 */
async function findHiddenSubmodules(repository: Repository, reader: DiffReader): Promise<ReadonlySet<string>> {
  const hidden = new Set<string>();
  for (const directory of reader.checkedOut) {
    const oid = await readSubmoduleCommit(repository, directory);
    const sections = reader.sections.filter(({ file }) => file?.path === directory);
    if (oid === undefined || !sections.every((section) => shows(section, oid))) hidden.add(directory);
  }
  return hidden;
}

/** Whether a section of the patch may be shown. A section whose file is unknown may be shown only if no submodule is hidden. */
function isShown({ file }: PatchSection, hidden: ReadonlySet<string>): boolean {
  return file === undefined ? hidden.size === 0 : !hidden.has(file.path);
}

function shows({ patch }: PatchSection, oid: string): boolean {
  return [...patch.toString('latin1').matchAll(SHOWN)].every(([, shown]) => shown === oid);
}

/** Lock files of package managers. Such a file counts as generated in any directory, unless an attribute marks it otherwise. */
const LOCK_FILES: ReadonlySet<string> = new Set([
  '.terraform.lock.hcl',
  'bun.lock',
  'bun.lockb',
  'Cargo.lock',
  'Cartfile.resolved',
  'composer.lock',
  'deno.lock',
  'flake.lock',
  'Gemfile.lock',
  'go.sum',
  'gradle.lockfile',
  'mix.lock',
  'MODULE.bazel.lock',
  'npm-shrinkwrap.json',
  'package-lock.json',
  'Package.resolved',
  'packages.lock.json',
  'pdm.lock',
  'Pipfile.lock',
  'pnpm-lock.yaml',
  'Podfile.lock',
  'poetry.lock',
  'pubspec.lock',
  'uv.lock',
  'yarn.lock',
]);

/** The attribute by which a repository marks generated files. */
const ATTRIBUTE = 'linguist-generated';
/** Number of fields in a record of `git check-attr`: path, attribute, value. */
const FIELDS = 3;

/** Finds generated files: files that an attribute marks as generated, and lock files (`LOCK_FILES`) without this attribute. */
async function findGeneratedFiles(repository: Repository, paths: readonly string[]): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  const command = ['check-attr', '-z', '--stdin', ...(repository.layout.isBare ? ['--cached'] : []), ATTRIBUTE];
  const { stdout } = await repository.read(command, { input: encodePathList(paths) });
  const values = new Map(groupFields(decodeNames(stdout), FIELDS).map(([path = '', , value = '']) => [path, value]));
  return new Set(paths.filter((path) => isGenerated(path, values.get(path))));
}

function isGenerated(path: string, value: string | undefined): boolean {
  if (value === undefined || value === 'unspecified') return LOCK_FILES.has(basename(path));
  return value !== 'unset' && value !== 'false';
}
