import { Result, escapeInvisible } from '@org/mcp-decorators';
import { takeFittingItems } from '@org/mcp-host';

import type { ChangedPath } from '../../repository/content/diff-page.ts';
import { formatCount } from '../../text/format.ts';
import { formatGitUri } from '../../text/git-uri.ts';
import { formatBody, type ShownBody } from '../results/result-text.ts';
import type { ShownDiff } from './diff-input.ts';
import { formatPath } from '../../repository/parse/path-bytes.ts';

/** Returns the diff as text, and up to `MAX_FACTS` changed files in `_meta`, even if their patches were cut off. */
export function formatDiff(repository: string, diff: ShownDiff, empty: string): Result {
  const text = formatDiffText(diff);
  return formatBody({ body: text === '' ? empty : text, ...describeDiff(repository, diff) });
}

export function formatDiffText({ mode, patch, files, totals }: ShownDiff): string {
  if (mode === 'patch') return patch;
  const lines = files.map((file) => formatFile(file));
  if (mode === 'stat' && files.length > 0)
    lines.push(`${formatCount(totals.files, 'file')}, ${formatCount(totals.added, 'line')} added, ${totals.removed} removed`);
  return lines.join('\n');
}

/** Returns the metadata, note and link of a diff. */
export function describeDiff(repository: string, diff: ShownDiff): Omit<ShownBody, 'body'> {
  const { files, totals, truncated, cut, next_cursor, whole } = diff;
  const facts = {
    files: files.slice(0, MAX_FACTS),
    totals,
    truncated,
    ...(cut !== undefined && { cut }),
    ...(next_cursor !== undefined && { next_cursor }),
  };
  const note = [...formatExcluded(diff), ...(truncated ? [formatCut(diff)] : [])].join('. ');
  return {
    facts,
    ...(note !== '' && { note }),
    ...(truncated &&
      whole !== undefined && { link: { uri: formatWholeUri(repository, whole), name: whole, mimeType: 'text/x-diff' } }),
  };
}

function formatWholeUri(repository: string, whole: string): string {
  const [kind = '', ...parts] = whole.split('/');
  return formatGitUri(repository, kind, ...parts);
}

/** Maximum number of files that a note names. */
const MAX_NAMED = 20;
/** Maximum number of bytes of the names in a note. */
const MAX_NAMED_BYTES = 250;

/** Maximum number of files in `_meta`. */
const MAX_FACTS = 200;

function formatExcluded({ files }: ShownDiff): readonly string[] {
  const names = files.filter(({ excluded }) => excluded === true).map(formatFile);
  return names.length === 0 ? [] : [`Generated files, not shown: ${joinNames(names)}`];
}

function formatCut({ files, cut, next, next_cursor, totals, mode }: ShownDiff): string {
  const within = cut === undefined ? '' : ` within ${formatPath(cut)}`;
  const position = files.findIndex(({ path }) => path === next?.path);
  const rest = position === -1 || mode !== 'patch' ? [] : files.slice(position).map(formatFile);
  const more = rest.length === 0 ? '' : ` Not shown: ${joinNames(rest)}.`;
  const go =
    next_cursor === undefined
      ? 'Use paths to see the rest.'
      : `Continue with cursor ${escapeInvisible(next_cursor)}, or use paths.`;
  const lines = mode === 'names' ? '' : `, +${totals.added} -${totals.removed}`;
  return `The diff was cut off at the limit${within}; the whole diff changes ${formatCount(totals.files, 'file')}${lines}.${more} ${go}`;
}

function joinNames(names: readonly string[]): string {
  const shown = takeFittingItems(names.slice(0, MAX_NAMED), MAX_NAMED_BYTES);
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : '';
  return `${shown.join(', ')}${more}`;
}

function formatFile({ path, original_path, status, added, removed, binary }: ChangedPath): string {
  const name = formatPath(path) + (original_path === undefined ? '' : ` (was ${formatPath(original_path)})`);
  if (binary === true) return `${status} ${name} binary`;
  return `${status} ${name}${added === undefined ? '' : ` +${added} -${removed ?? 0}`}`;
}
