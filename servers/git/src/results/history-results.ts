import { Result, visibleName } from '@org/mcp-decorators';

import type { ObjectPart } from '../operations/git-cat-file.ts';
import type { ComparedCommit, Comparison } from '../operations/git-compare.ts';
import type { FoundFile, FoundLines } from '../operations/git-grep.ts';
import type { FileList } from '../operations/git-ls-files.ts';
import type { ReflogPage } from '../operations/git-reflog.ts';
import type { ResolvedRevision } from '../operations/git-rev-parse.ts';
import { textOf } from '../text/content.ts';
import { counted } from '../text/counted.ts';
import { short } from '../text/short.ts';
import { visibleBody } from '../text/visible.ts';
import { bodyResult } from './diff-results.ts';

export function grepResult(found: FoundLines): Result {
  const lines = found.files.flatMap(fileLines);
  if (found.truncated) lines.push(goOn(found.next_cursor));
  return Result.of(found, lines.length === 0 ? 'No lines found' : lines.join('\n'));
}

/** As `grep` writes them: a colon after the number of a line that matches, a hyphen after others. */
function fileLines({ path, lines }: FoundFile): readonly string[] {
  const shown = lines.map(({ line, column, text }) => `${line}${column === undefined ? '-' : ':'} ${visibleBody(text)}`);
  return [visibleName(path), ...shown];
}

export function filesResult(list: FileList): Result {
  const lines = list.files.map(visibleName);
  if (list.truncated) lines.push(goOn(list.next_cursor));
  // A single name, such as 42, may be JSON.
  const [text = ''] = Result.text(lines.join('\n'), { title: 'Files' }).texts;
  return Result.of(list, lines.length === 0 ? 'No files found' : text);
}

export function reflogResult(page: ReflogPage): Result {
  const lines = page.entries.map(
    ({ selector, oid, date, message }) => `${visibleName(selector)} ${short(oid)} ${date} ${visibleName(message)}`,
  );
  if (page.next_cursor !== undefined) lines.push(goOn(page.next_cursor));
  return Result.of(page, lines.length === 0 ? 'The reference has no log' : lines.join('\n'));
}

/** The content once, as text; facts about it in `_meta`. */
export function objectResult({ oid, type, size, content, offset, encoding }: ObjectPart): Result {
  const end = offset + content.length;
  const truncated = end < size;
  const text = encoding === 'base64' ? content.toString('base64') : textOf(content, truncated);
  // A character that is cut is not shown, and begins the next part.
  const shown = encoding === 'base64' || text === undefined ? end : offset + Buffer.byteLength(text);
  const facts = { oid, type, size, offset, truncated, encoding, binary: text === undefined };
  const next = truncated ? { next_offset: shown } : {};
  return bodyResult({
    body:
      text === undefined ? `${type} ${short(oid)}: ${counted(size, 'byte')} that are not text; encoding base64 shows them` : text,
    facts: { ...facts, ...next },
    title: `${type} ${short(oid)}`,
    ...(size === 0 && { note: `The ${type} is empty.` }),
    ...(truncated && { note: `${type} ${oid} of ${counted(size, 'byte')}; go on with offset ${shown}` }),
  });
}

export function revisionResult(resolved: ResolvedRevision): Result {
  const { oid, type, short: abbreviated, symbolic, describe } = resolved;
  const names = [symbolic, describe].filter((name) => name !== undefined).map(visibleName);
  return Result.of(resolved, [`${type} ${oid}`, abbreviated, ...names].join('\n'));
}

export function comparisonResult(comparison: Comparison): Result {
  const { ahead, behind, base_oid, head_oid, merge_base, ahead_commits, behind_commits, changed } = comparison;
  const [base, head] = [short(base_oid), short(head_oid)];
  const lines = [
    `${ahead} ahead, ${behind} behind`,
    merge_base === undefined ? 'No history in common' : `Merge base ${merge_base}`,
    ...(changed === undefined ? [] : [`Changed since: ${counted(changed.files, 'file')}, +${changed.added} -${changed.removed}`]),
    ...sideLines({ title: 'Only in head:', range: `${base}..${head}`, total: ahead }, ahead_commits),
    ...sideLines({ title: 'Only in base:', range: `${head}..${base}`, total: behind }, behind_commits),
  ];
  return Result.of(comparison, lines.join('\n'));
}

interface Side {
  readonly title: string;
  /** Revision of the commits of this side. */
  readonly range: string;
  readonly total: number;
}

function sideLines({ title, range, total }: Side, commits: readonly ComparedCommit[]): readonly string[] {
  if (total === 0) return [];
  const lines = commits.map(
    ({ oid, author, date, subject }) => `${short(oid)} ${date.slice(0, 10)} ${visibleName(author)}: ${visibleName(subject)}`,
  );
  return [
    title,
    ...lines,
    ...(total > lines.length ? [`[${total - lines.length} more: git_log with revision ${range} lists them.]`] : []),
  ];
}

function goOn(cursor: string | undefined): string {
  return cursor === undefined ? '… there is more: narrow it' : `… go on with cursor ${visibleName(cursor)}`;
}
