import { Text, ToolError } from '@org/mcp-decorators';

import { bodyOf } from '../repository/parse/fields.ts';
import { parseTree, type TreeEntry } from '../repository/parse/tree.ts';
import { pathInside } from '../repository/paths.ts';
import { readObject, type ObjectPart, type ReadObject } from '../repository/object.ts';
import type { Repository } from '../repository/repository.ts';
import { resolveCommit, resolveObject } from '../repository/revision.ts';
import { textOf } from '../text/content.ts';
import { counted } from '../text/counted.ts';
import { cutText } from '../text/cut-text.ts';
import { short } from '../text/short.ts';
import { quoted } from '../text/visible.ts';
import { DiffInput, showDiff, type ShownDiff } from './diff-input.ts';
import { listPage, unknownCursor } from './list-page.ts';
import { trimEnd } from '../text/trim-end.ts';

export class GitShowInput extends DiffInput {
  @Text('Branch, tag, commit, or another object') revision!: string;
  @Text('Shows this file or directory of it', { optional: true }) path?: string;
}

/** Who wrote a commit, and what about. */
export interface CommitHead {
  readonly oid: string;
  readonly parents: readonly string[];
  readonly author: string;
  readonly email: string;
  /** Author's date, ISO 8601. */
  readonly date: string;
  readonly message: string;
}

/** What a revision names, as it is shown. */
export type Shown =
  | {
      readonly type: 'commit';
      /** The text of the tag that names it; empty after the first page. */
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
  /** A tag that names something else than a commit. */
  | ({ readonly type: 'tag' } & ShownBlob);

/** The content of a file or of a tag, or as much of it as fits. */
export interface ShownBlob {
  readonly oid: string;
  readonly size: number;
  /** Where the content begins, in bytes. */
  readonly offset: number;
  /** Ends with a whole line or, of a line that is too long, with a whole character. */
  readonly content: Buffer;
  /** Present if more of the file follows. */
  readonly next_cursor?: string;
  /** Where it was found. */
  readonly place?: { readonly commit: string; readonly path: string };
}

/**
 * What a revision names: a commit with what it changed (of a merge, what differs from all its parents), also as a tag has it; or
 * a file or directory.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO, PATH_OUTSIDE_ROOTS, PATH_NOT_FOUND
 */
export async function gitShow(repository: Repository, input: GitShowInput): Promise<Shown> {
  const length = Math.min(input.max_bytes ?? repository.limits.maxBytes, repository.limits.maxBytes);
  const part = { length, offset: offsetOf(input) };
  if (input.path !== undefined) {
    requireOffset(input);
    return showPath(repository, input.path, { revision: input.revision, part });
  }
  const object = await resolveObject(repository, input.revision, part);
  if (object.type !== 'tag') return showObject(repository, object, input);
  const tagged = await readObject(repository, `${object.oid}^{commit}`, { length: 0 });
  if (tagged !== undefined) return showCommit(repository, tagged.oid, { input, tag: tagText(repository, object, input) });
  requireOffset(input);
  return { ...blobOf(object, part.offset), type: 'tag' };
}

/** Returns the text of a tag on the first page of what it names: at most a quarter of the page. */
function tagText(repository: Repository, { oid, size, content }: ReadObject, { cursor }: GitShowInput): string {
  if (cursor !== undefined) return '';
  const isPart = content.length < size;
  const { text, truncated } = cutText(bodyOf(content, isPart), Math.floor(repository.limits.maxBytes / 4));
  if (!isPart && !truncated) return text;
  return `${trimEnd(text, '\n')} … (the tag has ${counted(size, 'byte')}; git_cat_file shows all of ${short(oid)})\n`;
}

/** What is at the cursor is known only when its type is: a diff has cursors of another form. */
const OFFSET = /^b:(?<offset>\d{1,9})$/;

/** Returns where a part of a file or directory begins: in bytes or in entries. */
function offsetOf({ cursor = '' }: GitShowInput): number {
  return Number(OFFSET.exec(cursor)?.groups?.['offset'] ?? 0);
}

function formatOffset(offset: number): string {
  return `b:${offset}`;
}

/** @throws ToolError INVALID_ARGUMENTS */
function requireOffset({ cursor }: GitShowInput): void {
  // The offset was read before the type was known.
  if (cursor !== undefined && !OFFSET.test(cursor)) throw unknownCursor();
}

async function showPath(
  repository: Repository,
  given: string,
  { revision, part }: { readonly revision: string; readonly part: Required<ObjectPart> },
): Promise<Shown> {
  const path = pathInside(repository, given);
  const commit = await resolveCommit(repository, revision);
  const object = await readObject(repository, `${commit}:${path === '.' ? '' : path}`, part);
  if (object?.type === 'tree') return showTree(repository, object.oid, part);
  if (object?.type === 'blob') return { ...blobOf(object, part.offset), place: { commit, path } };
  throw new ToolError('PATH_NOT_FOUND', `there is nothing ${quoted(given)} in ${short(commit)}`, {
    hint: 'a directory, such as ".", lists what is in it',
  });
}

function showObject(repository: Repository, object: ReadObject, input: GitShowInput): Promise<Shown> | Shown {
  if (object.type === 'commit') return showCommit(repository, object.oid, { input, tag: undefined });
  requireOffset(input);
  if (object.type === 'tree')
    return showTree(repository, object.oid, { offset: offsetOf(input), length: repository.limits.maxBytes });
  return blobOf(object, offsetOf(input));
}

const FORMAT = '%H%x00%P%x00%an%x00%ae%x00%aI%x00%B%x00';
const FIELDS = 6;

async function showCommit(
  repository: Repository,
  oid: string,
  { input, tag }: { readonly input: GitShowInput; readonly tag: string | undefined },
): Promise<Shown> {
  const format = ['--no-show-signature', '--encoding=UTF-8', '--diff-merges=dense-combined', `--format=${FORMAT}`];
  const command = ['show', ...format, oid];
  const beside = Buffer.byteLength(tag ?? '');
  const diff = await showDiff(repository, input, { command, fields: FIELDS, beside, whole: `commit/${oid}` });
  const head = headOf(oid, diff.fields, Math.floor(repository.limits.maxBytes / 2) - beside);
  return { type: 'commit', tag, head, diff };
}

function headOf(
  oid: string,
  [, parents = '', author = '', email = '', date = '', message = '']: readonly string[],
  maxBytes: number,
): CommitHead {
  // The result indents each line by four spaces.
  const { text, truncated } = cutText(message.replaceAll('\n', '\n    '), maxBytes);
  return {
    oid,
    parents: parents.split(' ').filter((parent) => parent !== ''),
    author,
    email,
    date,
    // git ends a message with a newline; other space at its end is the author's.
    message: `${trimEnd(text.replaceAll('\n    ', '\n'), '\n')}${truncated ? ` … (the message has ${counted(Buffer.byteLength(message), 'byte')})` : ''}`,
  };
}

/** @param offset where the content begins, in bytes */
function blobOf({ oid, size, content: read }: ReadObject, offset: number): { readonly type: 'blob' } & ShownBlob {
  if (offset + read.length >= size) return { type: 'blob', oid, size, offset, content: read };
  const line = read.lastIndexOf('\n') + 1;
  const content = read.subarray(0, line === 0 ? endOfCharacters(read) : line);
  return { type: 'blob', oid, size, offset, content, next_cursor: formatOffset(offset + content.length) };
}

/** Returns where the last whole character of a part ends; its length if it is not text. */
function endOfCharacters(part: Buffer): number {
  return Buffer.byteLength(textOf(part, true) ?? '') || part.length;
}

/** @param part the entries before it, and most bytes of those that are shown */
async function showTree(repository: Repository, oid: string, { offset, length }: Required<ObjectPart>): Promise<Shown> {
  const { stdout, truncated } = await repository.read(['ls-tree', '-z', '--long', oid]);
  const all = parseTree(stdout);
  const page = { cursor: String(offset), most: repository.limits.maxEntries, maxBytes: length };
  const { items: entries, next_cursor: next } = listPage(all, page);
  const more = next === undefined ? {} : { next_cursor: formatOffset(Number(next)) };
  return { type: 'tree', oid, entries, truncated: truncated || next !== undefined, ...more };
}
