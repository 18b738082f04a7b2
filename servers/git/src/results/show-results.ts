import { type Result, visibleName } from '@org/mcp-decorators';

import type { CommitHead, Shown, ShownBlob } from '../operations/git-show.ts';
import type { TreeEntry } from '../repository/parse/tree.ts';
import { bodyOf } from '../repository/parse/fields.ts';
import { textOf } from '../text/content.ts';
import { counted } from '../text/counted.ts';
import { gitUri } from '../text/git-uri.ts';
import { short } from '../text/short.ts';
import { bodyResult, diffNotes, diffText, type ShownBody } from './diff-results.ts';

export function shownResult(repository: string, shown: Shown): Result {
  if (shown.type === 'blob') return bodyResult(blobBody(repository, shown));
  if (shown.type === 'tree') return bodyResult(treeBody(shown));
  if (shown.type === 'tag') return bodyResult(tagBody(shown));
  const { tag, head, diff } = shown;
  const { facts, ...notes } = diffNotes(repository, diff);
  const body = [...(tag === undefined || tag === '' ? [] : [tag]), commitText(shown)].join('\n');
  const { message: _, ...about } = head;
  return bodyResult({ body, facts: { type: tag === undefined ? 'commit' : 'tag', ...about, ...facts }, ...notes });
}

/** A commit as git shows it: who and when, the message, what it changed. */
export function commitText({ head, diff }: Pick<Extract<Shown, { type: 'commit' }>, 'head' | 'diff'>): string {
  return [headText(head), diffText(diff)].join('\n');
}

function headText({ oid, parents, author, email, date, message }: CommitHead): string {
  const merge = parents.length > 1 ? [`Merge:  ${parents.join(' ')}`] : [];
  const lines = [`commit ${oid}`, ...merge, `Author: ${visibleName(author)} <${visibleName(email)}>`, `Date:   ${date}`, ''];
  const body = message.split('\n').map((line) => (line === '' ? '' : `    ${line}`));
  return `${[...lines, ...body].join('\n')}\n`;
}

function treeBody({ oid, entries, truncated, next_cursor }: Extract<Shown, { type: 'tree' }>): ShownBody {
  const facts = { type: 'tree', oid, entries, truncated, ...(next_cursor !== undefined && { next_cursor }) };
  const note = next_cursor === undefined ? undefined : `There is more: go on with cursor ${next_cursor}`;
  return {
    body: entries.map(entryLine).join('\n'),
    facts,
    note: note ?? (entries.length === 0 ? 'The directory is empty.' : undefined),
    title: `Directory ${short(oid)}`,
  };
}

function entryLine({ path, type, oid, size }: TreeEntry): string {
  if (type === 'tree') return `${visibleName(path)}/`;
  return `${visibleName(path)} ${type === 'commit' ? `submodule at ${oid}` : counted(size ?? 0, 'byte')}`;
}

function tagBody(shown: ShownBlob): ShownBody {
  const { oid, content, next_cursor } = shown;
  const more = next_cursor === undefined ? {} : { next_cursor };
  return {
    body: bodyOf(content),
    facts: { type: 'tag', oid, truncated: next_cursor !== undefined, ...more },
    title: `Tag ${short(oid)}`,
    note: restNote(shown),
  };
}

/** Says how to continue a file or a tag of which only a part is shown. */
function restNote({ offset, content, size, next_cursor }: ShownBlob): string | undefined {
  if (next_cursor === undefined) return undefined;
  return `There is more: bytes ${offset} to ${offset + content.length} of ${size} are shown; go on with cursor ${next_cursor}`;
}

function blobBody(repository: string, shown: ShownBlob): ShownBody {
  const { oid, size, content, offset, next_cursor, place } = shown;
  const truncated = next_cursor !== undefined;
  const text = textOf(content);
  const name = place === undefined ? 'Blob' : visibleName(place.path);
  const title = `${name}, ${short(oid)}, ${counted(size, 'byte')}`;
  const facts = { type: 'blob', oid, size, truncated, binary: text === undefined, ...(truncated && { next_cursor }) };
  const link = place && {
    uri: gitUri(repository, 'blob', place.commit, place.path),
    name: place.path,
    mimeType: text === undefined ? 'application/octet-stream' : 'text/plain',
  };
  if (text === undefined)
    return { body: `Binary, ${counted(size, 'byte')}${link === undefined ? '' : `: ${link.uri}`}`, facts, link };
  if (size === 0) return { body: '', facts, note: 'The file is empty.' };
  if (offset >= size) return { body: '', facts, note: `The file ends before that: it has ${counted(size, 'byte')}.` };
  if (!truncated) return { body: text, facts, title };
  return { body: text, facts, link, note: restNote(shown) };
}
