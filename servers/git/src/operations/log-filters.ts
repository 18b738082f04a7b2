import { ToolError } from '@org/mcp-decorators';

import { DIFF_FLAGS } from '../repository/diff.ts';
import { quoted } from '../text/visible.ts';
import type { GitLogInput } from './git-log.ts';

/**
 * What a walk through history leaves out, as flags of git; what a caller wrote stands only where git takes it for a text.
 *
 * @throws ToolError INVALID_ARGUMENTS
 */
export function logFilters(input: GitLogInput): readonly string[] {
  const since = input.since ?? input.start_timestamp;
  const until = input.until ?? input.end_timestamp;
  return [
    ...(since === undefined ? [] : [`--since=${requireTime(since)}`]),
    ...(until === undefined ? [] : [`--until=${requireTime(until)}`]),
    ...textFilters(input),
    ...pickaxe(input),
  ];
}

function textFilters({ author, grep, regex }: GitLogInput): readonly string[] {
  if (author === undefined && grep === undefined) return [];
  return [
    regex ? '--extended-regexp' : '--fixed-strings',
    ...(author === undefined ? [] : [`--author=${requireLine(author, 'author')}`]),
    ...(grep === undefined ? [] : [`--grep=${requireLine(grep, 'grep')}`]),
  ];
}

function pickaxe({ pickaxe: text, regex }: GitLogInput): readonly string[] {
  if (text === undefined) return [];
  if (text.includes('\0')) throw new ToolError('INVALID_ARGUMENTS', 'pickaxe: no file that is looked into contains a NUL');
  return [...DIFF_FLAGS, `-S${text}`, ...(regex ? ['--pickaxe-regex'] : [])];
}

/** git looks for each line of several by itself. */
function requireLine(text: string, name: string): string {
  if (!/[\0\n]/.test(text)) return text;
  throw new ToolError('INVALID_ARGUMENTS', `${name}: ${quoted(text)} is more than one line`);
}

const MAX_TIME = 100;

/** git takes whatever it does not understand for now, so at least an option is told from a time. */
function requireTime(text: string): string {
  if (text.length <= MAX_TIME && /^[\p{L}\p{N}@][\p{L}\p{N}@:.,+\-/ ]*$/u.test(text)) return text;
  throw new ToolError('INVALID_ARGUMENTS', `${quoted(text)} is not a time`, {
    hint: 'such as 2026-01-31, 2026-01-31T12:00:00Z or "2 weeks ago"',
  });
}
