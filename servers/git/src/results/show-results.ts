import { type Result, visibleName } from '@org/mcp-decorators';

import type { CommitHead, Shown, ShownBlob } from '../operations/git-show.ts';
import type { TreeEntry } from '../repository/parse/tree.ts';
import { textOf } from '../text/content.ts';
import { counted } from '../text/counted.ts';
import { gitUri } from '../text/git-uri.ts';
import { diffNotes, diffText, linkedResult, type LinkedResult, type ShownBody } from './diff-results.ts';

export function shownResult(repository: string, shown: Shown): Result | LinkedResult {
  if (shown.type === 'blob') return linkedResult(blobBody(repository, shown));
  if (shown.type === 'tree') return linkedResult(treeBody(shown));
  if (shown.type === 'tag') return linkedResult({ body: shown.tag, facts: { type: 'tag', oid: shown.oid, truncated: false } });
  const { tag, head, diff } = shown;
  const { facts, ...notes } = diffNotes(repository, diff);
  const body = [...(tag === undefined ? [] : [tag]), commitText(shown)].join('\n');
  const { message: _, ...about } = head;
  return linkedResult({ body, facts: { type: tag === undefined ? 'commit' : 'tag', ...about, ...facts }, ...notes });
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

function treeBody({ oid, entries, truncated }: Extract<Shown, { type: 'tree' }>): ShownBody {
  const body = entries.length === 0 ? 'The directory is empty' : entries.map(entryLine).join('\n');
  const note = truncated ? { note: 'There is more: name a directory further down.' } : {};
  return { body, facts: { type: 'tree', oid, entries, truncated }, ...note };
}

function entryLine({ path, type, oid, size }: TreeEntry): string {
  if (type === 'tree') return `${visibleName(path)}/`;
  return `${visibleName(path)} ${type === 'commit' ? `submodule at ${oid}` : counted(size ?? 0, 'byte')}`;
}

function blobBody(repository: string, { oid, size, content, place }: ShownBlob): ShownBody {
  const truncated = content.length < size;
  const text = textOf(content, truncated);
  const facts = { type: 'blob', oid, size, truncated, binary: text === undefined };
  const link = place && {
    uri: gitUri(repository, 'blob', place.commit, place.path),
    name: place.path,
    mimeType: text === undefined ? 'application/octet-stream' : 'text/plain',
  };
  if (text === undefined) return { body: `Binary, ${counted(size, 'byte')}`, facts, link };
  const body = text === '' ? 'The file is empty' : text;
  if (!truncated) return { body, facts };
  return {
    body,
    facts,
    link,
    note: `There is more: ${content.length} of ${size} bytes are shown; git_cat_file reads on by offset.`,
  };
}
