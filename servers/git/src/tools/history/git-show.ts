import { openCursor, sealCursor, Text, type RequestContext, type Result } from '@org/mcp-decorators';

import { pathNotFound } from '../../repository/content/nearest-path.ts';
import { decodeBody } from '../../repository/parse/fields.ts';
import { parseTree } from '../../repository/parse/tree.ts';
import { readObject, type ObjectPart, type ReadObject } from '../../repository/refs/object.ts';
import { resolveCommit, resolveObject } from '../../repository/refs/revision.ts';
import type { Repository } from '../../repository/repository.ts';
import { resolvePath } from '../../repository/work-tree/paths.ts';
import { NOTES_REF } from '../../repository/refs/notes.ts';
import { cutLines, trimEnd } from '../../text/cut.ts';
import { formatCount, shortOid } from '../../text/format.ts';
import { decodeUtf8 } from '../../text/utf8.ts';
import { quoteInput } from '../../text/visible.ts';
import { listPage, unknownCursorError } from '../inputs/list-page.ts';
import { DiffInput, showDiff } from '../inspect/diff-input.ts';
import { formatShown, type CommitHead, type Shown, type ShownBlob } from './show-result.ts';

export class GitShowInput extends DiffInput {
  @Text('Branch, tag, commit or other object') revision!: string;
  @Text('Show this file or directory, not the diff', { optional: true }) path?: string;
}

/**
 * Shows what a revision names: a commit with its diff (for a merge, the combined diff), an annotated tag with its commit, or a file or
 * directory.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO, PATH_OUTSIDE_ROOTS, PATH_NOT_FOUND
 */
export async function gitShow(repository: Repository, input: GitShowInput, context: RequestContext): Promise<Result> {
  const shown = await showRevision(repository, await openCursor(input, context));
  return formatShown(repository.id, await sealShown(shown, context));
}

export async function showRevision(repository: Repository, input: GitShowInput): Promise<Shown> {
  const length = Math.min(input.max_bytes ?? repository.limits.maxBytes, repository.limits.maxBytes);
  const part = { length, offset: parseOffset(input) };
  if (input.path !== undefined) {
    requireOffset(input);
    return showPath(repository, input.path, { revision: input.revision, part });
  }
  const object = await resolveObject(repository, input.revision, part);
  if (object.type !== 'tag') return showObject(repository, object, input);
  const tagged = await readObject(repository, `${object.oid}^{commit}`, { length: 0 });
  if (tagged !== undefined) return showCommit(repository, tagged.oid, { input, tag: cutTagText(repository, object, input) });
  requireOffset(input);
  return { ...toBlob(object, part.offset), type: 'tag' };
}

async function sealShown(shown: Shown, context: RequestContext): Promise<Shown> {
  if (shown.type === 'commit') return { ...shown, diff: await sealCursor(shown.diff, context) };
  return sealCursor(shown, context);
}

/**
 * Returns the text of a tag for the first page of the tagged commit, cut to a quarter of `maxBytes`. Returns an empty string
 * for later pages.
 */
function cutTagText(repository: Repository, { oid, size, content }: ReadObject, { cursor }: GitShowInput): string {
  if (cursor !== undefined) return '';
  const isPart = content.length < size;
  const { text, truncated } = cutLines(decodeBody(content, isPart), Math.floor(repository.limits.maxBytes / 4));
  if (!isPart && !truncated) return text;
  const next = repository.policy.offersTool?.('git_cat_file') === true ? `; git_cat_file shows all of ${shortOid(oid)}` : '';
  return `${trimEnd(text, '\n')} … (the tag has ${formatCount(size, 'byte')}${next})\n`;
}

/** Matches a cursor for a file or directory. Cursors for a diff have another form. */
const OFFSET = /^b:(?<offset>\d{1,9})$/;

/** Returns the position at which the requested part starts: in bytes for a file, in entries for a directory. */
function parseOffset({ cursor = '' }: GitShowInput): number {
  return Number(OFFSET.exec(cursor)?.groups?.['offset'] ?? 0);
}

function formatOffset(offset: number): string {
  return `b:${offset}`;
}

/** @throws ToolError INVALID_ARGUMENTS */
function requireOffset({ cursor }: GitShowInput): void {
  // `parseOffset` ran before the type of the object was known and accepts every cursor.
  if (cursor !== undefined && !OFFSET.test(cursor)) throw unknownCursorError();
}

async function showPath(
  repository: Repository,
  given: string,
  { revision, part }: { readonly revision: string; readonly part: Required<ObjectPart> },
): Promise<Shown> {
  const path = resolvePath(repository, given);
  const commit = await resolveCommit(repository, revision);
  const object = await readObject(repository, `${commit}:${path === '.' ? '' : path}`, part);
  if (object?.type === 'tree') return showTree(repository, object.oid, part);
  if (object?.type === 'blob') return { ...toBlob(object, part.offset), place: { commit, path } };
  throw await pathNotFound(repository, {
    oid: commit,
    path,
    problem: `${quoteInput(given)} does not exist in ${shortOid(commit)}`,
    hint: 'to list the entries of a directory, pass the path of the directory, such as "."',
  });
}

function showObject(repository: Repository, object: ReadObject, input: GitShowInput): Promise<Shown> | Shown {
  if (object.type === 'commit') return showCommit(repository, object.oid, { input, tag: undefined });
  requireOffset(input);
  if (object.type === 'tree')
    return showTree(repository, object.oid, { offset: parseOffset(input), length: repository.limits.maxBytes });
  return toBlob(object, parseOffset(input));
}

const FORMAT = '%H%x00%P%x00%an%x00%ae%x00%aI%x00%B%x00%N%x00';
const FIELDS = 7;

async function showCommit(
  repository: Repository,
  oid: string,
  { input, tag }: { readonly input: GitShowInput; readonly tag: string | undefined },
): Promise<Shown> {
  const notes = ['--no-notes', `--notes=${NOTES_REF}`];
  const format = [...notes, '--no-show-signature', '--encoding=UTF-8', '--diff-merges=dense-combined', `--format=${FORMAT}`];
  const command = ['show', ...format, oid];
  const beside = Buffer.byteLength(tag ?? '');
  const diff = await showDiff(repository, input, { command, fields: FIELDS, beside, whole: `commit/${oid}` });
  const head = toCommitHead(oid, diff.fields, Math.floor(repository.limits.maxBytes / 2) - beside);
  return { type: 'commit', tag, head, diff };
}

function toCommitHead(
  oid: string,
  [, parents = '', author = '', email = '', date = '', message = '', notes = '']: readonly string[],
  maxBytes: number,
): CommitHead {
  const shown = cutIndented(message, 'message', maxBytes);
  const note = cutIndented(notes, 'note', Math.max(0, maxBytes - Buffer.byteLength(shown)));
  return {
    oid,
    parents: parents.split(' ').filter((parent) => parent !== ''),
    author,
    email,
    date,
    message: shown,
    ...(note !== '' && { note }),
  };
}

/**
 * Cuts a text off at the end of a line, and appends a note about the cut. The limit includes the four spaces with which the
 * result indents each line.
 */
function cutIndented(whole: string, what: 'message' | 'note', maxBytes: number): string {
  const { text, truncated } = cutLines(whole.replaceAll('\n', '\n    '), maxBytes);
  // git ends a text with a newline; other white space at the end belongs to the author.
  const shown = trimEnd(text.replaceAll('\n    ', '\n'), '\n');
  return truncated ? `${shown} … (the ${what} has ${formatCount(Buffer.byteLength(whole), 'byte')})` : shown;
}

/** @param offset position of the content in the object, in bytes */
function toBlob({ oid, size, content: read }: ReadObject, offset: number): { readonly type: 'blob' } & ShownBlob {
  if (offset + read.length >= size) return { type: 'blob', oid, size, offset, content: read };
  const line = read.lastIndexOf('\n') + 1;
  const content = read.subarray(0, line === 0 ? findLastCharacterEnd(read) : line);
  return { type: 'blob', oid, size, offset, content, next_cursor: formatOffset(offset + content.length) };
}

/** Returns the end of the last whole character of a part, or the length of the part if it is not text. */
function findLastCharacterEnd(part: Buffer): number {
  return Buffer.byteLength(decodeUtf8(part, true) ?? '') || part.length;
}

/** @param part the number of entries to skip, and the maximum number of bytes of the shown entries */
async function showTree(repository: Repository, oid: string, { offset, length }: Required<ObjectPart>): Promise<Shown> {
  const { stdout, isTruncated } = await repository.read(['ls-tree', '-z', '--long', oid]);
  const all = parseTree(stdout);
  const page = { cursor: String(offset), most: repository.limits.maxEntries, maxBytes: length };
  const { items: entries, next_cursor: next } = listPage(all, page);
  const more = next === undefined ? {} : { next_cursor: formatOffset(Number(next)) };
  return { type: 'tree', oid, entries, truncated: isTruncated || next !== undefined, ...more };
}
