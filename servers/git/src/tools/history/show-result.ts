import { escapeInvisible, type Result } from '@org/mcp-decorators';

import { decodeBody } from '../../repository/parse/fields.ts';
import type { TreeEntry } from '../../repository/parse/tree.ts';
import { formatCount, shortOid } from '../../text/format.ts';
import { formatGitUri } from '../../text/git-uri.ts';
import { decodeUtf8 } from '../../text/utf8.ts';
import type { ShownDiff } from '../inspect/diff-input.ts';
import { describeDiff, formatDiffText } from '../inspect/diff-result.ts';
import { formatBody, type ShownBody } from '../results/result-text.ts';
import { formatPath } from '../../repository/parse/path-bytes.ts';

/** Author, date and message of a commit. */
export interface CommitHead {
  readonly oid: string;
  readonly parents: readonly string[];
  readonly author: string;
  readonly email: string;
  /** Author's date, ISO 8601. */
  readonly date: string;
  readonly message: string;
  /** Note about the commit; absent without a note. */
  readonly note?: string;
}

/** The object that a revision names. */
export type Shown =
  | {
      readonly type: 'commit';
      /** Text of the annotated tag that names the commit, empty after the first page; `undefined` without such a tag. */
      readonly tag: string | undefined;
      readonly head: CommitHead;
      readonly diff: ShownDiff;
    }
  | {
      readonly type: 'tree';
      readonly oid: string;
      readonly entries: readonly TreeEntry[];
      readonly truncated: boolean;
      readonly next_cursor?: string;
    }
  | ({ readonly type: 'blob' } & ShownBlob)
  /** An annotated tag of an object that is not a commit. */
  | ({ readonly type: 'tag' } & ShownBlob);

/** The content of a file or tag, or a part of the content. */
export interface ShownBlob {
  readonly oid: string;
  readonly size: number;
  /** Position of the first byte of `content` in the object. */
  readonly offset: number;
  /** The shown part. Unless it is the last part, it ends with a whole line, or with a whole character if the line is too long. */
  readonly content: Buffer;
  /** Cursor of the next part; absent on the last part. */
  readonly next_cursor?: string;
  /** Commit and path of the file; absent if the call did not give a path in addition to the revision. */
  readonly place?: { readonly commit: string; readonly path: string };
}

export function formatShown(repository: string, shown: Shown): Result {
  if (shown.type === 'blob') return formatBody(formatBlob(repository, shown));
  if (shown.type === 'tree') return formatBody(formatTree(shown));
  if (shown.type === 'tag') return formatBody(formatTag(shown));
  const { tag, head, diff } = shown;
  const { facts, ...notes } = describeDiff(repository, diff);
  const body = [...(tag === undefined || tag === '' ? [] : [tag]), formatCommitText(shown)].join('\n');
  const { message: _, note: __, ...about } = head;
  return formatBody({ body, facts: { type: tag === undefined ? 'commit' : 'tag', ...about, ...facts }, ...notes });
}

/** Formats a commit like `git show`: author, date, message and diff. */
export function formatCommitText({ head, diff }: Pick<Extract<Shown, { type: 'commit' }>, 'head' | 'diff'>): string {
  return [formatHead(head), formatDiffText(diff)].join('\n');
}

function formatHead({ oid, parents, author, email, date, message, note }: CommitHead): string {
  const merge = parents.length > 1 ? [`Merge:  ${parents.join(' ')}`] : [];
  const lines = [
    `commit ${oid}`,
    ...merge,
    `Author: ${escapeInvisible(author)} <${escapeInvisible(email)}>`,
    `Date:   ${date}`,
    '',
  ];
  const notes = note === undefined ? [] : ['', 'Notes:', ...indent(note)];
  return `${[...lines, ...indent(message), ...notes].join('\n')}\n`;
}

function indent(text: string): readonly string[] {
  return text.split('\n').map((line) => (line === '' ? '' : `    ${line}`));
}

function formatTree({ oid, entries, truncated, next_cursor }: Extract<Shown, { type: 'tree' }>): ShownBody {
  const facts = { type: 'tree', oid, entries, truncated, ...(next_cursor !== undefined && { next_cursor }) };
  const note = next_cursor === undefined ? undefined : `There is more: continue with cursor ${next_cursor}`;
  return {
    body: entries.map(formatEntry).join('\n'),
    facts,
    note: note ?? (entries.length === 0 ? 'The directory is empty.' : undefined),
    title: `Directory ${shortOid(oid)}`,
  };
}

function formatEntry({ path, type, oid, size }: TreeEntry): string {
  if (type === 'tree') return `${formatPath(path)}/`;
  return `${formatPath(path)} ${type === 'commit' ? `submodule at ${oid}` : formatCount(size ?? 0, 'byte')}`;
}

function formatTag(shown: ShownBlob): ShownBody {
  const { oid, content, next_cursor } = shown;
  const more = next_cursor === undefined ? {} : { next_cursor };
  return {
    body: decodeBody(content),
    facts: { type: 'tag', oid, truncated: next_cursor !== undefined, ...more },
    title: `Tag ${shortOid(oid)}`,
    note: formatRestNote(shown),
  };
}

/** Returns the note of a part of a file or tag, with the cursor of the next part. */
function formatRestNote({ offset, content, size, next_cursor }: ShownBlob): string | undefined {
  if (next_cursor === undefined) return undefined;
  return `There is more: bytes ${offset} to ${offset + content.length} of ${size} are shown; continue with cursor ${next_cursor}`;
}

function formatBlob(repository: string, shown: ShownBlob): ShownBody {
  const { oid, size, content, offset, next_cursor, place } = shown;
  const truncated = next_cursor !== undefined;
  const text = decodeUtf8(content);
  const name = place === undefined ? 'Blob' : formatPath(place.path);
  const title = `${name}, ${shortOid(oid)}, ${formatCount(size, 'byte')}`;
  const facts = { type: 'blob', oid, size, truncated, binary: text === undefined, ...(truncated && { next_cursor }) };
  const link = place && {
    uri: formatGitUri(repository, 'blob', place.commit, place.path),
    name: place.path,
    mimeType: text === undefined ? 'application/octet-stream' : 'text/plain',
  };
  if (text === undefined)
    return { body: `Binary, ${formatCount(size, 'byte')}${link === undefined ? '' : `: ${link.uri}`}`, facts, link };
  if (size === 0) return { body: '', facts, note: 'The file is empty.' };
  if (offset >= size) return { body: '', facts, note: `The offset is past the end: the file has ${formatCount(size, 'byte')}.` };
  if (!truncated) return { body: text, facts, title };
  return { body: text, facts, link, note: formatRestNote(shown) };
}
