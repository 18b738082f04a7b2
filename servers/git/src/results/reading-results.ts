import { Result, visibleName } from '@org/mcp-decorators';

import type { BlamedFile, BlameHunk } from '../operations/git-blame.ts';
import type { Branch, BranchList } from '../operations/git-branch.ts';
import type { RepositoryList } from '../operations/git-list-repositories.ts';
import type { Commit, CommitPage, CommitSize } from '../operations/git-log.ts';
import type { ChangedFile, RepositoryStatus } from '../operations/git-status.ts';
import { counted } from '../text/counted.ts';
import { short } from '../text/short.ts';
import { visibleBody } from '../text/visible.ts';

export function statusResult(status: RepositoryStatus): Result {
  const { branch, oid, upstream, ahead = 0, behind = 0, operation, entries, counts, truncated } = status;
  const lines = [
    `On ${branch === undefined ? `no branch, at ${short(oid ?? '')}` : `branch ${visibleName(branch)}`}${oid === undefined ? ', without commits' : ''}`,
    ...(upstream === undefined ? [] : [`Upstream ${visibleName(upstream)}: ${ahead} ahead, ${behind} behind`]),
    ...(operation === undefined ? [] : [`In progress: ${operation}`]),
    ...entries.map(statusLine),
    ...(entries.length === 0 ? ['Nothing has changed'] : []),
  ];
  if (truncated)
    lines.push(
      `… not all are shown: ${Object.entries(counts)
        .map(([kind, count]) => `${count} ${kind}`)
        .join(', ')}`,
    );
  return Result.of(status, lines.join('\n'));
}

/** Longer pages have one line for each commit: messages in full would be sent twice. */
const FULL_MESSAGES = 20;

export function logResult(page: CommitPage): Result {
  const commits = page.commits.map(page.commits.length > FULL_MESSAGES ? commitLine : commitText);
  const more = page.next_cursor === undefined ? [] : [`… more commits: cursor ${page.next_cursor}`];
  return Result.of(page, commits.length === 0 ? 'No commits found' : [...commits, ...more].join('\n'));
}

export function branchesResult(list: BranchList): Result {
  const lines = list.branches.map(branchLine);
  if (list.truncated) lines.push(`… ${list.total - list.branches.length} more of ${list.total} branches are not shown`);
  return Result.of(list, lines.length === 0 ? 'No branches found' : lines.join('\n'));
}

export function repositoriesResult(list: RepositoryList): Result {
  const lines = list.repositories.map(({ path, branch, bare, refused }) => {
    const state =
      refused ?? `${bare === true ? 'bare, ' : ''}${branch === undefined ? 'no branch' : `on ${visibleName(branch)}`}`;
    return `${visibleName(path)}: ${state}`;
  });
  const found = lines.length === 0 ? ['No repositories found'] : lines;
  return Result.of(list, [...found, ...(list.note === undefined ? [] : [list.note])].join('\n'));
}

export function blameResult({ blame, lines }: BlamedFile, maxBytes: number): Result {
  const first = blame.hunks[0]?.start_line ?? 1;
  const texts = blame.hunks.map((hunk) => hunkText(hunk, lines.slice(hunk.start_line - first, hunk.end_line - first + 1)));
  const fitting = fittingPart(texts, maxBytes);
  const cut = blame.truncated || fitting.length < texts.length;
  const { path, oid, total_lines } = blame;
  const hunks = blame.hunks.slice(0, fitting.length);
  const next = (hunks.at(-1)?.end_line ?? 0) + 1;
  const more = cut ? [`… go on with start_line ${next} of ${total_lines}`] : [];
  return Result.of(
    { path, oid, hunks, total_lines, truncated: cut },
    texts.length === 0 ? 'The file is empty' : [...fitting, ...more].join('\n'),
  );
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

function hunkText({ oid, author, date, summary, start_line }: BlameHunk, lines: readonly string[]): string {
  const written = lines.map((line, offset) => `${start_line + offset}\t${visibleBody(line)}`);
  return [`${short(oid)} ${date.slice(0, 10)} ${visibleName(author)}: ${visibleName(summary)}`, ...written].join('\n');
}

/** As many as fit, and at least one. */
function fittingPart(texts: readonly string[], maxBytes: number): readonly string[] {
  let bytes = 0;
  const end = texts.findIndex((text, position) => {
    bytes += Buffer.byteLength(text) + 1;
    return bytes > maxBytes && position > 0;
  });
  return end === -1 ? texts : texts.slice(0, end);
}
