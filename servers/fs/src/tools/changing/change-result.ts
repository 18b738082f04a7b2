import path from 'node:path';

import { Result } from '@org/mcp-decorators';

import { visibleName } from '../../text/format.ts';
import { formatCount } from '../notes.ts';

/** Maximum number of paths that a text names. */
const MAX_NAMED = 5;

/** A file, link or directory that was created, copied, moved or deleted. */
export interface MadeChange {
  readonly path: string;
  /** Number of entries of a directory; absent for any other entry. */
  readonly entries?: number;
  /**
   * Number of skipped entries: denied names, protected git directories and protected configuration of git; absent if none was
   * skipped.
   */
  readonly skipped?: number;
  readonly undoId?: string;
}

/**
 * @param done beginning of the sentence that the path follows, such as `Created directory`
 * @param written paths of files that have new content
 */
export function madeChangeResult(change: MadeChange, done: string, written: readonly string[] = [change.path]): Result {
  const { path, entries, skipped } = change;
  const contained = entries === undefined ? '' : ` (${formatCount(entries, 'entry', 'entries')})`;
  const left =
    skipped === undefined
      ? ''
      : `; skipped ${formatCount(skipped, 'entry that is denied, a git directory or git configuration', 'entries that are denied, git directories or git configuration')}`;
  return changeResult(change, `${done} ${visibleName(path)}${contained}${left}`, written);
}

/** Creates a result with the change, its undo id and a warning about the content, as text and as structured content. */
export function changeResult(change: { readonly undoId?: string }, done: string, written: readonly string[]): Result {
  const warning = createWarning(written);
  return Result.of({ ...change, ...(warning !== undefined && { warning }) }, `${done}${undoNote(change)}${warningNote(written)}`);
}

export function undoNote({ undoId }: { readonly undoId?: string }): string {
  return undoId === undefined ? '' : `; undo with ${undoId}`;
}

export function warningNote(paths: readonly string[]): string {
  const warning = createWarning(paths);
  return warning === undefined ? '' : `; ${warning}`;
}

/** Returns a warning about files whose commands other programs run automatically; `undefined` if no path is such a file. */
function createWarning(paths: readonly string[]): string | undefined {
  const names = paths.map(matchAutoRunFile).filter((name) => name !== undefined);
  if (names.length === 0) return undefined;
  return `review ${formatPaths([...new Set(names)])}: editors, agents or git may run commands from such a file without asking`;
}

/** @param more number of further paths that are not in the list */
export function formatPaths(paths: readonly string[], more = 0): string {
  const shown = paths.slice(0, MAX_NAMED).map(visibleName);
  const rest = paths.length - shown.length + more;
  return [...shown, ...(rest > 0 ? [`${rest} more`] : [])].join(' and ');
}

/** Patterns for the paths of files with commands that editors, agents or git run without a prompt for each command. */
const PATHS: readonly RegExp[] = [
  /\/\.(?:vscode|cursor|windsurf)\/(?:tasks|settings|launch|extensions|mcp|hooks)\.json$/,
  /\/[^/]*\.code-workspace$/,
  /\/\.(?:claude|gemini)\/settings(?:\.local)?\.json$/,
  /\/\.mcp\.json$/,
  /\/\.(?:husky|githooks)\/[^/]+$/,
  /\/\.git(?:attributes|config|modules)$/,
  /\/(?:\.?lefthook(?:-local)?\.ya?ml|\.pre-commit-config\.yaml)$/,
  /\/\.envrc$/,
  /\/\.devcontainer(?:\/|\.json$)/,
  /\/\.idea\/workspace\.xml$/,
];

/** Returns the name of a file whose commands other programs run automatically, or `undefined` for any other file. */
function matchAutoRunFile(given: string): string | undefined {
  const folded = given.replaceAll(path.sep, '/').toLowerCase();
  return PATHS.some((pattern) => pattern.test(`/${folded}`)) ? path.basename(given) : undefined;
}
