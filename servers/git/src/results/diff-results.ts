import { type Facts, type ResourceLink, Result, visibleName } from '@org/mcp-decorators';
import { firstThatFit } from '@org/mcp-host';

import type { ShownDiff } from '../operations/diff-input.ts';
import type { ChangedPath } from '../repository/changes.ts';
import { counted } from '../text/counted.ts';
import { gitUri } from '../text/git-uri.ts';
import { visibleBody } from '../text/visible.ts';

/** A body that is shown once, as text. */
export interface ShownBody {
  readonly body: string;
  readonly facts: Facts;
  /** What the reader of the text alone has to know. */
  readonly note?: string | undefined;
  /** Where all of it is, if it was cut. */
  readonly link?: ResourceLink | undefined;
  /** What precedes a body that is JSON. */
  readonly title?: string;
}

/** The body without anything that a terminal obeys, facts about it in `_meta`. */
export function bodyResult({ body, facts, note, link, title }: ShownBody): Result {
  const text = visibleBody(body);
  return Result.text(text, { facts: { ...facts, escaped: text !== body }, note, title, ...(link && { links: [link] }) });
}

/** A diff once, as text; what happened to each file in `_meta`, whether or not its patch fits. */
export function diffResult(repository: string, diff: ShownDiff, empty: string): Result {
  const text = diffText(diff);
  return bodyResult({ body: text === '' ? empty : text, ...diffNotes(repository, diff) });
}

export function diffText({ mode, patch, files, totals }: ShownDiff): string {
  if (mode === 'patch') return patch;
  const lines = files.map((file) => fileLine(file));
  if (mode === 'stat' && files.length > 0)
    lines.push(`${counted(totals.files, 'file')}, ${counted(totals.added, 'line')} added, ${totals.removed} removed`);
  return lines.join('\n');
}

/** Facts, a note and a link to go with a diff. */
export function diffNotes(repository: string, diff: ShownDiff): Omit<ShownBody, 'body'> {
  const { files, totals, truncated, cut, next_cursor, whole } = diff;
  const facts = {
    files: files.slice(0, MAX_FACTS),
    totals,
    truncated,
    ...(cut !== undefined && { cut }),
    ...(next_cursor !== undefined && { next_cursor }),
  };
  const note = [...excludedNote(diff), ...(truncated ? [cutNote(diff)] : [])].join('. ');
  return {
    facts,
    ...(note !== '' && { note }),
    ...(truncated && whole !== undefined && { link: { uri: wholeUri(repository, whole), name: whole, mimeType: 'text/x-diff' } }),
  };
}

function wholeUri(repository: string, whole: string): string {
  const [kind = '', ...parts] = whole.split('/');
  return gitUri(repository, kind, ...parts);
}

/** Most files that a note names, and their bytes. */
const MAX_NAMED = 20;
const MAX_NAMED_BYTES = 250;
/** Most files that `_meta` describes. */
const MAX_FACTS = 200;

function excludedNote({ files }: ShownDiff): readonly string[] {
  const names = files.filter(({ excluded }) => excluded === true).map(fileLine);
  return names.length === 0 ? [] : [`Generated, not shown: ${listed(names)}`];
}

function cutNote({ files, cut, next, next_cursor, totals, mode }: ShownDiff): string {
  const within = cut === undefined ? '' : ` within ${visibleName(cut)}`;
  const position = files.findIndex(({ path }) => path === next?.path);
  const rest = position === -1 || mode !== 'patch' ? [] : files.slice(position).map(fileLine);
  const more = rest.length === 0 ? '' : ` Not shown: ${listed(rest)}.`;
  const go =
    next_cursor === undefined ? 'Name paths to see the rest.' : `Go on with cursor ${visibleName(next_cursor)}, or name paths.`;
  const lines = mode === 'names' ? '' : `, +${totals.added} -${totals.removed}`;
  return `There is more: it was cut at the limit${within}; ${counted(totals.files, 'file')}${lines}.${more} ${go}`;
}

function listed(names: readonly string[]): string {
  const shown = firstThatFit(names.slice(0, MAX_NAMED), MAX_NAMED_BYTES);
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : '';
  return `${shown.join(', ')}${more}`;
}

function fileLine({ path, original_path, status, added, removed, binary }: ChangedPath): string {
  const name = visibleName(path) + (original_path === undefined ? '' : ` (was ${visibleName(original_path)})`);
  if (binary === true) return `${status} ${name} binary`;
  return `${status} ${name}${added === undefined ? '' : ` +${added} -${removed ?? 0}`}`;
}
