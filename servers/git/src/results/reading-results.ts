import { Result, visibleName } from '@org/mcp-decorators';
import { firstThatFit } from '@org/mcp-host';

import type { BlamedFile, BlameHunk } from '../operations/git-blame.ts';
import type { Branch, BranchList } from '../operations/git-branch.ts';
import type { RepositoryList } from '../operations/git-list-repositories.ts';
import type { Commit, CommitPage, CommitSize } from '../operations/git-log.ts';
import type { ChangedFile, RepositoryStatus } from '../operations/git-status.ts';
import { counted } from '../text/counted.ts';
import { short } from '../text/short.ts';
import { visibleBody } from '../text/visible.ts';
import { restOf } from './rest-of.ts';

export function statusResult(status: RepositoryStatus): Result {
  const { upstream, ahead = 0, behind = 0, operation, entries, truncated } = status;
  const lines = [
    headLine(status),
    ...(upstream === undefined ? [] : [`Upstream ${visibleName(upstream)}: ${ahead} ahead, ${behind} behind`]),
    ...(operation === undefined ? [] : [`In progress: ${operation}`]),
    ...entries.map(statusLine),
    ...(entries.length === 0 ? ['Nothing has changed'] : []),
    ...(truncated ? [countsLine(status)] : []),
  ];
  return Result.of(status, lines.join('\n'));
}

function headLine({ branch, oid }: RepositoryStatus): string {
  const place = branch === undefined ? `no branch, at ${short(oid ?? '')}` : `branch ${visibleName(branch)}`;
  return `On ${place}${oid === undefined ? ', without commits' : ''}`;
}

function countsLine({ counts, next_cursor }: RepositoryStatus): string {
  const kinds = Object.entries(counts).map(([kind, count]) => `${count} ${kind}`);
  return `… not all are shown: ${kinds.join(', ')}${next_cursor === undefined ? '' : `; go on with cursor ${next_cursor}`}`;
}

/** Longer pages have one line for each commit: messages in full would be sent twice. */
const FULL_MESSAGES = 20;

export function logResult(page: CommitPage): Result {
  const commits = page.commits.map(page.commits.length > FULL_MESSAGES ? commitLine : commitText);
  const notes = [
    ...(page.commits.length > FULL_MESSAGES ? [`Only subjects are shown: max_count of at most ${FULL_MESSAGES} shows all.`] : []),
    ...(page.next_cursor === undefined ? [] : [`Go on with cursor ${page.next_cursor}.`]),
  ];
  const note = notes.length === 0 ? [] : [`[${notes.join(' ')}]`];
  return Result.of(page, commits.length === 0 ? 'No commits found' : [...commits, ...note].join('\n'));
}

export function branchesResult(list: BranchList): Result {
  const lines = list.branches.map(branchLine);
  if (list.truncated) lines.push(restOf(list, list.branches.length, 'branches'));
  return Result.of(list, lines.length === 0 ? 'No branches found' : lines.join('\n'));
}

export function repositoriesResult(list: RepositoryList): Result {
  const lines = list.repositories.map(({ path, branch, bare, refused }) => {
    const state =
      refused ?? `${bare === true ? 'bare, ' : ''}${branch === undefined ? 'no branch' : `on ${visibleName(branch)}`}`;
    return `${visibleName(path)}: ${state}`;
  });
  if (list.next_cursor !== undefined) lines.push(`… go on with cursor ${list.next_cursor}`);
  const found = lines.length === 0 ? ['No repositories found'] : lines;
  return Result.of(list, [...found, ...(list.note === undefined ? [] : [list.note])].join('\n'));
}

/** Commits and lines once, as text; facts about the commits in `_meta`. */
export function blameResult({ blame, lines }: BlamedFile, maxBytes: number): Result {
  const first = blame.hunks[0]?.start_line ?? 1;
  if (blame.hunks.length === 0) return Result.text('', { facts: { ...blame }, note: 'The file is empty.' });
  const texts = blame.hunks.flatMap((hunk) => hunkTexts(hunk, lines.slice(hunk.start_line - first, hunk.end_line - first + 1)));
  const shown = firstThatFit(texts, maxBytes);
  const next = first + shown.length;
  const hunks = blame.hunks.filter(({ start_line }) => start_line < next);
  const cut = hunks.map((hunk) => ({ ...hunk, end_line: Math.min(hunk.end_line, next - 1) }));
  const truncated = blame.truncated || shown.length < texts.length;
  const note = truncated ? `Go on with start_line ${next} of ${blame.total_lines}.` : undefined;
  return Result.text(shown.join('\n'), { facts: { ...blame, hunks: cut, truncated }, note });
}

function statusLine({ path, original_path, staged, unstaged, untracked, conflict }: ChangedFile): string {
  const name = visibleName(path) + (original_path === undefined ? '' : ` (was ${visibleName(original_path)})`);
  if (untracked === true) return `untracked: ${name}`;
  if (conflict === true) return `conflict: ${name}`;
  const parts = [
    ...(staged === undefined ? [] : [`staged ${staged}`]),
    ...(unstaged === undefined ? [] : [`unstaged ${unstaged}`]),
  ];
  return `${parts.join(', ')}: ${name}`;
}

function commitText({ oid, parents = [], author, email, date, message, stats }: Commit): string {
  const merge = parents.length > 1 ? ` merge of ${parents.map(short).join(' ')}` : '';
  const body = visibleBody(message)
    .split('\n')
    .map((line) => (line === '' ? '' : `    ${line}`))
    .join('\n');
  return `${oid} ${date} ${visibleName(author)} <${visibleName(email)}>${merge}${sizeText(stats)}\n${body}`;
}

/** As much of a subject as a line has room for. */
const SUBJECT = 100;

function commitLine({ oid, author, date, message, stats }: Commit): string {
  const [subject = ''] = message.split('\n', 1);
  return `${short(oid)} ${date.slice(0, 10)} ${visibleName(author)}: ${visibleName(subject.slice(0, SUBJECT))}${sizeText(stats)}`;
}

function sizeText(size: CommitSize | undefined): string {
  return size === undefined ? '' : ` (${counted(size.files, 'file')}, +${size.added} -${size.removed})`;
}

function branchLine({ name, oid, subject, current, upstream }: Branch): string {
  const tracked = upstream === undefined ? '' : ` [${visibleName(upstream)}]`;
  return `${current ? '*' : ' '} ${visibleName(name)} ${short(oid)}${tracked} ${visibleName(subject)}`;
}

/** Returns a text for each line; the first one begins with the commit. */
function hunkTexts({ oid, author, date, summary, start_line }: BlameHunk, lines: readonly string[]): readonly string[] {
  const commit = `${short(oid)} ${date.slice(0, 10)} ${visibleName(author)}: ${visibleName(summary)}\n`;
  return lines.map((line, offset) => `${offset === 0 ? commit : ''}${start_line + offset}\t${visibleBody(line)}`);
}
