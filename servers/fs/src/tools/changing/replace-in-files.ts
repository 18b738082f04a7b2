import path from 'node:path';

import { Flag, Text, TextList, ToolError, type RequestContext } from '@org/mcp-decorators';
import { quotePath } from '@org/mcp-roots';

import { changeFiles, type NewContent } from '../../change/change-files.ts';
import { withFiles } from '../../change/with-targets.ts';
import { replaceFound } from '../../edits/apply-edits.ts';
import { normalizeLineEnds } from '../../edits/normalized-text.ts';
import { createTextDiff, type TextDiff } from '../../edits/text-diff.ts';
import { TextLines } from '../../edits/text-lines.ts';
import type { ReplacementQuery, Replacement } from '../../search/find-replacements.ts';
import { compileMatcher } from '../../search/pattern.ts';
import type { SearchSummary } from '../../search/merged-batches.ts';
import { isTemporary } from '../../storage/stale-files.ts';
import { searchFiles, type SearchQuery } from '../../threads/search-files.ts';
import { CountField, GlobsField, IsPattern } from '../fields.ts';
import type { Files } from '../files.ts';
import { openSearchedPath, type SearchedPath } from '../finding/open-searched-path.ts';
import { createContentFilters, requireValidPattern } from '../finding/scope.ts';
import { sum } from '../notes.ts';
import { PathInput } from '../path-input.ts';
import { ResultBudget } from '../result-budget.ts';
import { findReplacements, readTexts, timeLimitReached, tooMuch, type ReplaceableText } from './replaceable-text.ts';
import type { Occurrence, ReplacedFile, ReplacedFiles, ReplaceOutcome } from './replaced-files.ts';

/** Maximum number of occurrences that a dry run lists or a call names. */
const MAX_OCCURRENCES = 500;
const MAX_REPLACEMENT = 100_000;
/** Minimum number of bytes for the difference of a further file. */
const LEAST_DIFF = 512;
/** Maximum number of characters of a line in an occurrence. */
const MAX_LINE = 200;

export class ReplaceInFilesInput extends PathInput {
  @IsPattern() @Text('Text, or with regex a JavaScript regular expression per line') pattern!: string;
  @Text('With regex, $1 and $<name> are groups', { maxLength: MAX_REPLACEMENT }) replacement!: string;
  @Flag('Regular expression', { optional: true }) regex?: boolean;
  @Flag('Default: true', { optional: true }) caseSensitive?: boolean;
  @Flag('Whole words', { optional: true }) word?: boolean;
  @GlobsField('Globs of files; default: all') include?: string[];
  @GlobsField('Globs to exclude') exclude?: string[];
  @Flag('See search_content', { optional: true }) gitignore?: boolean;
  @Flag('See search_content', { optional: true }) hidden?: boolean;
  @Flag('Only show the diff and ids', { optional: true }) dryRun?: boolean;

  @TextList('Replace only these ids from a dry run', { optional: true, minItems: 1, maxItems: MAX_OCCURRENCES })
  occurrences?: string[];

  @CountField('Required count') expectedCount?: number;
}

/**
 * Replaces a text in a text file, or in the text files below a directory, all or none, as one change. Every other byte stays as
 * it is. Links below the directory are not followed.
 *
 * @throws ToolError NO_MATCH, AMBIGUOUS_MATCH, CONFLICT, ENCODING, TOO_LARGE, TIMEOUT, OVERLOADED, READ_ONLY, NO_SPACE,
 * INVALID_ARGUMENTS, and errors of `Roots.openDirectory`
 */
export async function replaceInFiles(files: Files, input: ReplaceInFilesInput, context: RequestContext): Promise<ReplaceOutcome> {
  const wanted = toWanted(input);
  requireValidPattern(() => compileMatcher(wanted));
  const searched = await openSearchedPath(files, input.path);
  await using directory = searched.directory;
  const { paths, summary } = await findFiles(files, searched, { input, wanted }, context);
  const requested = paths.map((file) => ({ path: file, dryRun: input.dryRun }));
  return await withFiles(files, requested, context.signal, async (all) => {
    const targets = all.filter(({ facts }) => facts !== undefined);
    const { texts, binary } = await readTexts(files, targets, context.signal);
    const query = { wanted, replacement: normalizeLineEnds(input.replacement), texts };
    const selected = selectOccurrences(await findReplacements(files, directory, query, context), input.occurrences);
    requireCount(selected, input.expectedCount);
    const skipped = { binary: summary.binary + binary, unreadable: summary.unreadable + summary.tooLarge };
    return replaceSelected(files, { selected, skipped, isDryRun: input.dryRun === true }, context.signal);
  });
}

interface Selection {
  readonly selected: readonly ReplaceableText[];
  readonly skipped: Pick<ReplacedFiles, 'binary' | 'unreadable'>;
  readonly isDryRun: boolean;
}

async function replaceSelected(
  files: Files,
  { selected, skipped, isDryRun }: Selection,
  signal: AbortSignal,
): Promise<ReplaceOutcome> {
  const changed = selected.map((text) => ({ ...text, after: replaceFound(text.text, text.normalized, text.found) }));
  const { maxBytes } = files.limits;
  // In a dry run, half of the result is for the ids.
  const diffs = await createDiffs(changed, isDryRun ? maxBytes / 2 : maxBytes);
  if (isDryRun)
    return { replaced: { ...listOccurrences(selected, new ResultBudget(maxBytes / 2)), ...skipped }, diffs, isDryRun };
  if (selected.length === 0) throw new ToolError('NO_MATCH', 'no file contains the text; nothing was changed');
  const contents: NewContent[] = [];
  for (const { target, after, encode } of changed) contents.push({ target, content: await encode(after) });
  const { etags, undoId } = await changeFiles(files, 'replace_in_files', contents, signal);
  const replacedFiles = selected.map((text, index) => toReplacedFile(text, etags[index] ?? text.etag));
  return { replaced: { ...withTotal(replacedFiles), ...skipped, undoId }, diffs, isDryRun };
}

/**
 * Globs of git directories, and of files that name programs that git runs. Replacements exclude these directories and files
 * unless the operator allows changes of git directories.
 */
const GIT_FILES = ['.git', '.gitconfig', '**/.config/git/config'] as const;

type Wanted = ReplacementQuery['wanted'];

function toWanted({ pattern, regex = false, caseSensitive = true, word = false }: ReplaceInFilesInput): Wanted {
  return { pattern: regex ? pattern : normalizeLineEnds(pattern), regex, caseSensitive, word };
}

/** Finds the files that may contain the text, in the same way as search_content. */
async function findFiles(
  files: Files,
  searched: SearchedPath,
  { input, wanted }: { readonly input: ReplaceInFilesInput; readonly wanted: Wanted },
  context: RequestContext,
): Promise<{ readonly paths: readonly string[]; readonly summary: SearchSummary }> {
  const { directory } = searched;
  const { include, exclude = [], gitignore, hidden } = input;
  const excludePatterns = (await directory.isGuardedGit('.git')) ? [...exclude, ...GIT_FILES] : exclude;
  const { maxReplaceFiles, maxScanned } = files.limits;
  const query: SearchQuery = {
    ...toOneLine(wanted),
    ...(await createContentFilters(files, searched, { include, excludePatterns, gitignore, hidden })),
    multiline: false,
    before: 0,
    after: 0,
    mode: 'files',
    limit: maxReplaceFiles,
    resume: undefined,
  };
  const { items, summary } = await searchFiles(files, directory, query, context);
  if (summary.end === 'limit') throw tooMuch(`more than ${maxReplaceFiles} files contain the text`, '--max-replace-files');
  if (summary.end === 'scanned') throw tooMuch(`the directory has more than ${maxScanned} entries`, '--max-scanned');
  if (summary.end === 'time') throw timeLimitReached();
  const paths = items
    .map(({ relative }) => path.join(directory.shown, ...relative.split('/')))
    // Another write will soon rename its temporary file, which must not change before.
    .filter((file) => !isTemporary(path.basename(file)));
  return { paths, summary };
}

/**
 * Returns a pattern within one line that matches in every file with the wanted text, whatever the line endings of the file are.
 * The pattern for a literal text is its longest line. A regular expression stays as it is.
 */
function toOneLine(wanted: Wanted): Wanted {
  if (wanted.regex) return wanted;
  const [longest = ''] = wanted.pattern.split('\n').toSorted((one, other) => other.length - one.length);
  return { ...wanted, pattern: longest, word: false };
}

async function createDiffs(
  changed: readonly { readonly text: string; readonly after: string }[],
  maxBytes: number,
): Promise<readonly TextDiff[]> {
  const diffs: TextDiff[] = [];
  let shown = 0;
  for (const { text, after } of changed) {
    if (diffs.length > 0 && maxBytes - shown < LEAST_DIFF) break;
    const diff = await createTextDiff(text, after, maxBytes - shown);
    shown += Buffer.byteLength(diff.text);
    diffs.push(diff);
  }
  return diffs;
}

type Replacements = Pick<ReplacedFiles, 'files' | 'replacements'>;

function listOccurrences(texts: readonly ReplaceableText[], budget: ResultBudget): Replacements {
  let left = MAX_OCCURRENCES;
  let isFull = false;
  return withTotal(
    texts.map((text) => {
      const occurrences = describeOccurrences(text, left).filter((occurrence) => !(isFull ||= !budget.take(occurrence)));
      left -= occurrences.length;
      return toReplacedFile(text, text.etag, occurrences);
    }),
  );
}

function withTotal(files: readonly ReplacedFile[]): Replacements {
  return { files, replacements: sum(files.map(({ replacements }) => replacements)) };
}

function toReplacedFile({ target, found }: ReplaceableText, etag: string, occurrences?: readonly Occurrence[]): ReplacedFile {
  return { path: target.shown, etag, replacements: found.length, ...(occurrences && { occurrences }) };
}

function describeOccurrences(text: ReplaceableText, limit: number): Occurrence[] {
  const lines = new TextLines(text.normalized.text);
  return text.found.slice(0, limit).map((replacement) => {
    const line = lines.lineAt(replacement.start);
    return { id: createOccurrenceId(text, replacement), line, text: (lines.lines[line - 1] ?? '').slice(0, MAX_LINE) };
  });
}

const MAX_NAMED = 20;

/**
 * Creates the id of an occurrence from the etag of its file and its position in the text. The id is valid until the file
 * changes.
 */
function createOccurrenceId(
  { etag, normalized }: Pick<ReplaceableText, 'etag' | 'normalized'>,
  { start, end }: Replacement,
): string {
  const from = normalized.toSource(start);
  return `${etag}.${from}.${normalized.toSource(end) - from}`;
}

/**
 * Selects the occurrences with these ids, or all occurrences without ids. Omits texts without a selected occurrence.
 *
 * @throws ToolError CONFLICT if an id matches no occurrence
 */
function selectOccurrences(texts: readonly ReplaceableText[], ids: readonly string[] | undefined): readonly ReplaceableText[] {
  const requested = ids && new Set(ids);
  const missing = new Set(requested);
  const isSelected = (text: ReplaceableText, replacement: Replacement): boolean => {
    const id = createOccurrenceId(text, replacement);
    missing.delete(id);
    return requested?.has(id) ?? true;
  };
  const selected = texts.map((text) => ({ ...text, found: text.found.filter((each) => isSelected(text, each)) }));
  if (missing.size === 0) return selected.filter(({ found }) => found.length > 0);
  const message = `ids that match no occurrence: ${missing.size} of ${requested?.size}; nothing was changed`;
  throw new ToolError('CONFLICT', message, {
    hint: 'the files changed, or other arguments were given: request the occurrences again with dryRun',
    data: { stale: [...missing].slice(0, MAX_NAMED) },
  });
}

/** @throws ToolError NO_MATCH if the text does not occur; AMBIGUOUS_MATCH if the number of occurrences is not the expected one */
function requireCount(texts: readonly ReplaceableText[], expected: number | undefined): void {
  const count = sum(texts.map(({ found }) => found.length));
  if (expected === undefined || count === expected) return;
  const places = texts.slice(0, MAX_NAMED).map(({ target, found }) => `${quotePath(target.shown)} (${found.length})`);
  const named = texts.length > MAX_NAMED ? [...places, 'and more'] : places;
  throw new ToolError(
    count === 0 ? 'NO_MATCH' : 'AMBIGUOUS_MATCH',
    `the number of occurrences is ${count}, not ${expected}${count === 0 ? '' : `: ${named.join(', ')}`}; nothing was changed`,
    {
      hint: 'narrow the search with path, include or word, or list the occurrences with dryRun and select among them',
      data: { count, expected },
    },
  );
}
