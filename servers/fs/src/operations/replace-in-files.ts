import path from 'node:path';

import { Field, Flag, Integer, Text, TextList, ToolError, type RequestContext } from '@org/mcp-decorators';
import type { OpenDirectory } from '@org/mcp-roots';
import { IsOptional } from 'class-validator';

import { ResultBudget } from '../budget.ts';
import type { Files } from '../files.ts';
import { chosenOf, occurrenceId, requireCount } from '../replace/occurrences.ts';
import { findIn, outOfTime, readTexts, tooMuch, type ReplaceableText } from '../replace/replaceable-text.ts';
import { excluderOf } from '../walk/globs.ts';
import type { ContentQuery, ContentSummary, ReplacementQuery } from '../walk/job.ts';
import { compileMatcher } from '../walk/pattern.ts';
import { searchInParts } from '../walk/search-in-parts.ts';
import { withFiles } from '../write/change-file.ts';
import { changeFiles } from '../write/change-files.ts';
import { withReplacements } from '../write/edits/apply-edits.ts';
import { withEvenEnds } from '../write/edits/line-ends.ts';
import { textDiff, type TextDiff } from '../write/edits/text-diff.ts';
import { TextLines } from '../write/edits/text-lines.ts';
import { isTemporary } from '../write/stale-files.ts';
import { openSearched } from './open-searched.ts';
import { PathInput } from './path-input.ts';
import { IsPattern, IsPatterns } from './is-pattern.ts';
import type { Occurrence, ReplacedFile, ReplacedFiles } from './replaced-files.ts';
import { scopeOf, usable } from './scope.ts';

/** Most occurrences that a dry run lists, and that one call names. */
const MAX_OCCURRENCES = 500;
const MAX_REPLACEMENT = 100_000;
/** Bytes that a difference of another file needs. */
const LEAST_DIFF = 512;
/** Characters of a line that are shown. */
const SHOWN = 200;

export class ReplaceInFilesInput extends PathInput {
  @IsPattern() @Text('Text, or with regex a JavaScript regular expression, line by line') pattern!: string;
  @Text('With regex, $1 and $<name> are groups', { maxLength: MAX_REPLACEMENT }) replacement!: string;
  @Flag({ optional: true }) regex?: boolean;
  @Flag('Default: true', { optional: true }) caseSensitive?: boolean;
  @Flag('Whole words', { optional: true }) word?: boolean;

  @Field('Globs of files; default: all')
  @IsOptional()
  @IsPatterns()
  include?: string[];

  @Field('Globs to leave out')
  @IsOptional()
  @IsPatterns()
  exclude?: string[];

  @Flag('As in search_content', { optional: true }) gitignore?: boolean;
  @Flag('As in search_content', { optional: true }) hidden?: boolean;
  @Flag('Only show what would change, with ids', { optional: true }) dryRun?: boolean;
  @TextList('Only these ids of a dry run', { optional: true, minItems: 1, maxItems: MAX_OCCURRENCES }) occurrences?: string[];
  @Integer('Fail unless exactly n occurrences match', { optional: true, min: 1 }) expectedCount?: number;
}

/** What a replacement came to, with as much of the differences as is shown. */
export interface ReplaceOutcome {
  readonly replaced: ReplacedFiles;
  /** Of the first files. */
  readonly diffs: readonly TextDiff[];
  readonly isDryRun: boolean;
}

/**
 * Replaces a text in all files below a directory, all or none, as one change; every other byte stays as it is. Links are not followed.
 *
 * @throws ToolError NO_MATCH, AMBIGUOUS_MATCH, CONFLICT, ENCODING, TOO_LARGE, TIMEOUT, OVERLOADED, READ_ONLY, NO_SPACE,
 * INVALID_ARGUMENTS, and errors of `Roots.openDirectory`
 */
export async function replaceInFiles(files: Files, input: ReplaceInFilesInput, context: RequestContext): Promise<ReplaceOutcome> {
  const wanted = wantedOf(input);
  usable(() => [compileMatcher(wanted), excluderOf([...(input.include ?? []), ...(input.exclude ?? [])])]);
  await using directory = await openSearched(files, input.path);
  const { paths, summary } = await filesWith(files, directory, { input, wanted }, context);
  const { signal } = context;
  const asked = paths.map((file) => ({ path: file, dryRun: input.dryRun }));
  return await withFiles(files, asked, signal, async (all) => {
    const targets = all.filter(({ facts }) => facts !== undefined);
    const { texts, binary } = await readTexts(files, targets, signal);
    const found = await findIn(files, directory, { wanted, replacement: withEvenEnds(input.replacement), texts }, context);
    const chosen = chosenOf(found, input.occurrences);
    requireCount(chosen, input.expectedCount);
    const skipped = { binary: summary.binary + binary, unreadable: summary.unreadable + summary.tooLarge };
    const changed = chosen.map((each) => ({ ...each, after: withReplacements(each.text, each.even, each.found) }));
    const { maxBytes } = files.limits;
    // Half of the answer is for the ids.
    const diffs = await diffsOf(changed, input.dryRun === true ? maxBytes / 2 : maxBytes);
    if (input.dryRun === true)
      return { replaced: { ...wouldReplace(chosen, new ResultBudget(maxBytes / 2)), ...skipped }, diffs, isDryRun: true };
    if (chosen.length === 0) throw new ToolError('NO_MATCH', 'the text is in none of the files; nothing was changed');
    const contents: { target: ReplaceableText['target']; content: Buffer }[] = [];
    for (const { target, after, encode } of changed) contents.push({ target, content: await encode(after) });
    const { etags, undoId } = await changeFiles(files, 'replace_in_files', contents, signal);
    return { replaced: { ...replacedIn(chosen, etags), ...skipped, undoId }, diffs, isDryRun: false };
  });
}

/** What git runs programs from; a search finds it and no replacement may change it. */
const GIT_FILES = ['.git', '.gitconfig', '**/.config/git/config'] as const;

type Wanted = ReplacementQuery['wanted'];

function wantedOf({ pattern, regex = false, caseSensitive = true, word = false }: ReplaceInFilesInput): Wanted {
  return { pattern: regex ? pattern : withEvenEnds(pattern), regex, caseSensitive, word };
}

/** The files that may have the text, found as search_content does. */
async function filesWith(
  files: Files,
  directory: OpenDirectory,
  { input, wanted }: { readonly input: ReplaceInFilesInput; readonly wanted: Wanted },
  context: RequestContext,
): Promise<{ readonly paths: readonly string[]; readonly summary: ContentSummary }> {
  const { include = [], exclude = [], gitignore, hidden } = input;
  const excludePatterns = (await directory.isGuardedGit('.git')) ? [...exclude, ...GIT_FILES] : exclude;
  const { maxReplaceFiles, maxScanned } = files.limits;
  const scope = await scopeOf(files, directory, { excludePatterns, gitignore, hidden }, { purpose: 'search' });
  const query: ContentQuery = {
    ...inOneLine(wanted),
    scope,
    include,
    multiline: false,
    before: 0,
    after: 0,
    mode: 'files',
    limit: maxReplaceFiles,
    resume: undefined,
  };
  const { items, summary } = await searchInParts(files, directory, query, context);
  if (summary.end === 'limit') throw tooMuch(`more than ${maxReplaceFiles} files have the text`, '--max-replace-files');
  if (summary.end === 'scanned') throw tooMuch(`there are more than ${maxScanned} entries`, '--max-scanned');
  if (summary.end === 'time') throw outOfTime();
  const paths = items
    .map(({ relative }) => path.join(directory.shown, ...relative.split('/')))
    // What others are writing takes the place of a file soon, and is not to change before.
    .filter((file) => !isTemporary(path.basename(file)));
  return { paths, summary };
}

/** What each file has that has a text: its longest line, however the file ends its lines. */
function inOneLine(wanted: Wanted): Wanted {
  if (wanted.regex) return wanted;
  const [longest = ''] = wanted.pattern.split('\n').toSorted((one, other) => other.length - one.length);
  return { ...wanted, pattern: longest, word: false };
}

async function diffsOf(
  changed: readonly { readonly text: string; readonly after: string }[],
  most: number,
): Promise<readonly TextDiff[]> {
  const diffs: TextDiff[] = [];
  let shown = 0;
  for (const { text, after } of changed) {
    if (diffs.length > 0 && most - shown < LEAST_DIFF) break;
    const diff = await textDiff(text, after, most - shown);
    shown += Buffer.byteLength(diff.text);
    diffs.push(diff);
  }
  return diffs;
}

type Made = Pick<ReplacedFiles, 'files' | 'replacements'>;

function replacedIn(texts: readonly ReplaceableText[], etags: readonly string[]): Made {
  return madeOf(texts.map((text, index) => fileOf(text, etags[index] ?? text.etag)));
}

function wouldReplace(texts: readonly ReplaceableText[], budget: ResultBudget): Made {
  let left = MAX_OCCURRENCES;
  let isFull = false;
  return madeOf(
    texts.map((text) => {
      const occurrences = occurrencesIn(text, left).filter((occurrence) => !(isFull ||= !budget.take(occurrence)));
      left -= occurrences.length;
      return fileOf(text, text.etag, occurrences);
    }),
  );
}

function madeOf(files: ReplacedFile[]): Made {
  return { files, replacements: files.reduce((sum, { replacements }) => sum + replacements, 0) };
}

function fileOf({ target, found }: ReplaceableText, etag: string, occurrences?: Occurrence[]): ReplacedFile {
  return { path: target.shown, etag, replacements: found.length, ...(occurrences && { occurrences }) };
}

function occurrencesIn(text: ReplaceableText, most: number): Occurrence[] {
  const lines = new TextLines(text.even.text);
  return text.found.slice(0, most).map((replacement) => {
    const line = lines.lineAt(replacement.start);
    return { id: occurrenceId(text, replacement), line, text: (lines.lines[line - 1] ?? '').slice(0, SHOWN) };
  });
}
