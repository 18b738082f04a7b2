import { ToolError } from '@org/mcp-decorators';

import { formatCount } from '../../text/format.ts';

import type { Hunk } from './hunks.ts';

/** A hunk, or some of its lines. */
export interface SelectedHunk {
  readonly hunk: Hunk;
  /** Numbers of the selected lines, counted from 1; `undefined` for the whole hunk. */
  readonly lines: ReadonlySet<number> | undefined;
}

/** How a patch will be applied: forward to the old lines of its hunks, or in reverse to their new lines. */
export type PatchDirection = 'forward' | 'reverse';

/**
 * Writes the patch that makes the changes of the selected hunks, or takes them back if it is applied in reverse.
 *
 * @returns the patch in Latin-1
 * @throws ToolError INVALID_ARGUMENTS if selected lines do not exist, contain no change, or are in a hunk without a final newline
 */
export function writeHunkPatch(selected: readonly SelectedHunk[], direction: PatchDirection): string {
  const headers = [...new Set(selected.map(({ hunk }) => hunk.header))];
  return headers
    .map((header) =>
      writeFilePatch(
        header,
        selected.filter(({ hunk }) => hunk.header === header),
        direction,
      ),
    )
    .join('');
}

function writeFilePatch(header: readonly string[], selected: readonly SelectedHunk[], direction: PatchDirection): string {
  const isWhole = selected.every(({ lines }) => lines === undefined);
  const patch = [...writeHeader(header, isWhole)];
  let shift = 0;
  for (const { hunk, lines } of selected.toSorted((first, second) => first.hunk.oldStart - second.hunk.oldStart)) {
    const body = lines === undefined ? hunk.lines : selectLines(hunk, lines, direction);
    const [removed, added] = [countSide(body, '-'), countSide(body, '+')];
    // A forward patch is applied to the old lines: `oldStart` stays, and the earlier hunks of the patch shift `newStart`. A
    // reverse patch is applied to the new lines: `newStart` stays, and the earlier hunks shift `oldStart`.
    const [oldStart, newStart] =
      direction === 'forward' ? [hunk.oldStart, hunk.oldStart + shift] : [hunk.newStart - shift, hunk.newStart];
    patch.push(`@@ -${formatRange(oldStart, removed)} +${formatRange(newStart, added)} @@`, ...body);
    shift += added - removed;
  }
  return `${patch.join('\n')}\n`;
}

/** Formats a range as `START,COUNT`. Hunks have context lines, so only an empty file has an empty range, which starts at 0. */
function formatRange(start: number, count: number): string {
  return `${count === 0 ? 0 : Math.max(1, start)},${count}`;
}

/**
 * Returns the header of a file without a change of its mode. The header creates or deletes the file only if all selected hunks of
 * the file are selected as a whole.
 */
function writeHeader(header: readonly string[], isWhole: boolean): readonly string[] {
  const kept = header.filter((line) => !/^(?:old|new) mode /.test(line));
  if (isWhole) return kept;
  const [first = ''] = kept;
  const named = kept.find((line) => /^(?:---|\+\+\+) /.test(line) && !line.endsWith(' /dev/null')) ?? '';
  const [, quote = '', name = ''] = /^(?:---|\+\+\+) ("?)[ab](\/.*)$/.exec(named) ?? [];
  return [first, `--- ${quote}a${name}`, `+++ ${quote}b${name}`];
}

/** Returns the number of old lines (`-`) or new lines (`+`) of a body, including context lines. */
function countSide(body: readonly string[], sign: '-' | '+'): number {
  return body.filter((line) => line.startsWith(sign) || line.startsWith(' ')).length;
}

/**
 * Returns the body of a hunk with only the selected changes. In a forward patch, a removed line that is not selected becomes
 * context, and an added line that is not selected is omitted. In a reverse patch, the roles of removed and added lines are
 * exchanged. The n-th removed line of a block is followed by its n-th added line.
 *
 * @throws ToolError INVALID_ARGUMENTS if selected lines do not exist, contain no change, or are in a hunk without a final newline
 */
function selectLines(hunk: Hunk, selected: ReadonlySet<number>, direction: PatchDirection): readonly string[] {
  requireSelectable(hunk, selected);
  const body: string[] = [];
  let block: Block = { removed: [], added: [] };
  const end = (): void => {
    body.push(...mergeBlock(block, direction));
    block = { removed: [], added: [] };
  };
  for (const [index, line] of hunk.lines.entries()) {
    const one = { text: line.slice(1), isSelected: selected.has(index + 1) };
    if (line.startsWith('-')) {
      if (block.added.length > 0) end();
      block.removed.push(one);
    } else if (line.startsWith('+')) block.added.push(one);
    else {
      end();
      body.push(line);
    }
  }
  end();
  return body;
}

interface BlockLine {
  readonly text: string;
  readonly isSelected: boolean;
}

/** Consecutive changed lines. */
interface Block {
  readonly removed: BlockLine[];
  readonly added: BlockLine[];
}

function mergeBlock({ removed, added }: Block, direction: PatchDirection): readonly string[] {
  const merged: string[] = [];
  for (let index = 0; index < Math.max(removed.length, added.length); index += 1) {
    const [before, after] = [removed[index], added[index]];
    if (before !== undefined && (before.isSelected || direction === 'forward'))
      merged.push(`${before.isSelected ? '-' : ' '}${before.text}`);
    if (after !== undefined && (after.isSelected || direction === 'reverse'))
      merged.push(`${after.isSelected ? '+' : ' '}${after.text}`);
  }
  return merged;
}

function requireSelectable({ id, lines }: Hunk, selected: ReadonlySet<number>): void {
  const outside = [...selected].find((number) => lines[number - 1] === undefined);
  if (outside !== undefined)
    throw new ToolError(
      'INVALID_ARGUMENTS',
      `hunk ${id} has ${formatCount(lines.length, 'line')}; line ${outside} does not exist`,
    );
  if (![...selected].some((number) => /^[-+]/.test(lines[number - 1] ?? '')))
    throw new ToolError('INVALID_ARGUMENTS', `the selected lines of hunk ${id} contain no change`);
  // A line that begins with a backslash marks a last line without a line break. A selection could place other lines after that
  // last line, so the selection is rejected.
  if (lines.some((line) => line.startsWith('\\')))
    throw new ToolError(
      'INVALID_ARGUMENTS',
      `hunk ${id} ends at the end of a file without a line break, so its lines cannot be selected`,
      {
        hint: 'select the whole hunk',
      },
    );
}
