import { ToolError } from '@org/mcp-decorators';

import type { Found, LineRange } from './find-text.ts';
import type { TextLines } from './text-lines.ts';

/** The lines that an edit without an old text replaces, and their new text with `\n` line endings. */
export interface LineEdit {
  readonly newText: string;
  readonly range: LineRange;
  /** Position of the edit in the call, from 0. */
  readonly index: number;
}

/**
 * Returns the range of whole lines, with the new text. Unless the new text is empty, it ends with a line break exactly if the
 * replaced lines end with a line break.
 *
 * @throws ToolError NO_MATCH for lines that do not exist
 */
export function selectLines(text: string, { newText, range, index }: LineEdit, lines: TextLines): Found {
  const { first, last } = range;
  const count = text.endsWith('\n') ? lines.lines.length - 1 : lines.lines.length;
  if (last > count) {
    throw new ToolError('NO_MATCH', `the lines of edits[${index}] do not exist: the number of lines in the file is ${count}`, {
      hint: 'read the file again',
      data: { edit: index },
    });
  }
  const start = lines.lineStart(first);
  const end = Math.min(text.length, lines.lineStart(last + 1));
  return { start, end, newText: endLike(newText, text.slice(start, end)) };
}

function endLike(newText: string, replaced: string): string {
  if (newText === '') return newText;
  const body = newText.endsWith('\n') ? newText.slice(0, -1) : newText;
  return replaced.endsWith('\n') ? `${body}\n` : body;
}

/** Requires that line edits concern different lines. @throws ToolError INVALID_ARGUMENTS */
export function requireSeparateLines(edits: readonly { readonly startLine: number; readonly endLine: number }[]): void {
  const sorted = [...edits].sort((one, other) => one.startLine - other.startLine);
  const isOverlapping = sorted.some(({ endLine }, index) => endLine >= (sorted[index + 1]?.startLine ?? Infinity));
  if (isOverlapping) throw new ToolError('INVALID_ARGUMENTS', 'two edits without oldText replace the same line');
}
