import { Result } from '@org/mcp-decorators';

import type { FileInfo } from './operations/get-file-info.ts';
import type { AllowedDirectories } from './operations/list-allowed-directories.ts';
import type { TextWindow } from './operations/read-text-file.ts';
import { visibleName } from './text/escape.ts';

/** The text once, facts about it in `_meta`, and a line that tells the model when there is more. */
export function windowResult({ text, ...facts }: TextWindow): Result {
  const note = noteOf(facts);
  return Result.text(text, { facts, ...(note !== undefined && { note }) });
}

export function fileInfoResult(info: FileInfo): Result {
  return Result.of(
    info,
    Object.entries(info)
      .map(([name, value]) => `${name}: ${name === 'path' ? visibleName(String(value)) : value}`)
      .join('\n'),
  );
}

export function allowedResult(allowed: AllowedDirectories): Result {
  const lines = allowed.directories.map(({ path, mode, available }) => {
    const notes = [...(mode === 'ro' ? ['read-only'] : []), ...(available ? [] : ['not available'])];
    return visibleName(path) + (notes.length === 0 ? '' : ` (${notes.join(', ')})`);
  });
  return Result.of(allowed, lines.length === 0 ? 'No directory is allowed' : ['Allowed directories:', ...lines].join('\n'));
}

function noteOf({ truncated, cut, nextOffset, bytes, lines, startLine }: Omit<TextWindow, 'text'>): string | undefined {
  if (lines === 0 && (startLine ?? 1) > 1) return `The file ends before that line: it has ${(startLine ?? 1) - 1} lines.`;
  if (!truncated) return undefined;
  const forward = nextOffset !== undefined;
  const next = forward ? `read on with offset ${nextOffset}` : 'earlier lines are not shown';
  const whole = cut
    ? ` The ${forward ? 'last' : 'first'} line shown is longer than the limit and was cut; the rest of it cannot be read.`
    : '';
  return `The file has ${bytes} bytes and more lines than shown; ${next}.${whole}`;
}
