import { ToolError } from '@org/mcp-decorators';

import { DIFF_FLAGS } from '../../repository/content/diff-flags.ts';
import { quoteInput } from '../../text/visible.ts';
import { resolveTime } from './log-time.ts';

/** Filters of a walk through history. */
interface LogFilters {
  readonly since?: string;
  readonly until?: string;
  /** Alias of `since`. */
  readonly start_timestamp?: string;
  /** Alias of `until`. */
  readonly end_timestamp?: string;
  readonly author?: string;
  readonly grep?: string;
  readonly pickaxe?: string;
  /** Whether `author`, `grep` and `pickaxe` are regular expressions. */
  readonly regex: boolean;
}

/**
 * Returns the flags of `git log` for the filters. Text from the caller is used only as the value of an option, never as an option.
 *
 * @throws ToolError INVALID_ARGUMENTS for an invalid time, a text with NUL, or an author or message text of several lines
 */
export function buildLogFilters(input: LogFilters): readonly string[] {
  const since = input.since ?? input.start_timestamp;
  const until = input.until ?? input.end_timestamp;
  return [
    ...(since === undefined ? [] : [`--since=${resolveTime(since, 'first')}`]),
    ...(until === undefined ? [] : [`--until=${resolveTime(until, 'last')}`]),
    ...buildTextFilters(input),
    ...buildPickaxe(input),
  ];
}

function buildTextFilters({ author, grep, regex }: LogFilters): readonly string[] {
  if (author === undefined && grep === undefined) return [];
  return [
    regex ? '--extended-regexp' : '--fixed-strings',
    ...(author === undefined ? [] : [`--author=${requireLine(author, 'author')}`]),
    ...(grep === undefined ? [] : [`--grep=${requireLine(grep, 'grep')}`]),
  ];
}

function buildPickaxe({ pickaxe: text, regex }: LogFilters): readonly string[] {
  if (text === undefined) return [];
  if (text.includes('\0')) throw new ToolError('INVALID_ARGUMENTS', 'pickaxe: the text must not contain a NUL character');
  return [...DIFF_FLAGS, `-S${text}`, ...(regex ? ['--pickaxe-regex'] : [])];
}

/** Returns a text of one line. Rejects a text of several lines, because git would search for each line separately. */
function requireLine(text: string, name: string): string {
  if (!/[\0\n]/.test(text)) return text;
  throw new ToolError('INVALID_ARGUMENTS', `${name}: ${quoteInput(text)} has more than one line`);
}
