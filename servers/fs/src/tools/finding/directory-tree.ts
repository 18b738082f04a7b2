import { Flag, Integer, OneOf, Result, type RequestContext } from '@org/mcp-decorators';

import { runJob } from '../../threads/run-job.ts';
import type { WalkEnd } from '../../walk/walk.ts';
import { CountField, CursorField, GlobsField } from '../fields.ts';
import type { Files } from '../files.ts';
import { continueWith, formatCount } from '../notes.ts';
import { PathInput } from '../path-input.ts';
import { openPosition, sealPosition } from './page.ts';
import { createScope } from './scope.ts';

const FORMATS = ['json', 'compact'] as const;
const DEPTH = 3;
const MAX_DEPTH = 1000;

export class DirectoryTreeInput extends PathInput {
  @CursorField() cursor?: string;
  @Flag('false: also .git and ignored files', { optional: true }) gitignore?: boolean;
  @Flag('false: skip dotfiles', { optional: true }) hidden?: boolean;
  @GlobsField('Globs; a bare name at any depth') excludePatterns?: string[];
  @Integer(`Levels; default: ${DEPTH}`, { optional: true, min: 1, max: MAX_DEPTH }) maxDepth?: number;
  @CountField('Entries per page') maxEntries?: number;
  @OneOf(FORMATS, 'Default: compact, one indented name per line', { optional: true }) format?: 'json' | 'compact';
}

/** A tree as text and facts about it. */
export interface DirectoryTree {
  readonly text: string;
  /** Path of the directory, as clients see it. */
  readonly path: string;
  readonly entries: number;
  readonly unreadable: number;
  /** Whether the requested levels may contain more entries than the tree. */
  readonly truncated: boolean;
  readonly end: WalkEnd;
  readonly nextCursor?: string;
}

/**
 * Draws the tree below a directory breadth first: at most `maxEntries` entries and `maxBytes` bytes, so that the deepest entries
 * are cut. Incomplete directories are marked. Later pages repeat the directories above their entries.
 *
 * @throws ToolError INVALID_ARGUMENTS, TIMEOUT, OVERLOADED, and errors of `Roots.openDirectory`
 */
export async function directoryTree(files: Files, input: DirectoryTreeInput, context: RequestContext): Promise<DirectoryTree> {
  const position = await openPosition(context, input);
  await using directory = await files.roots.openDirectory(input.path);
  const { maxDepth = DEPTH, maxEntries = Infinity, format = 'compact' } = input;
  const query = {
    scope: await createScope(files, directory, input, { purpose: 'tree', maxDepth }),
    format,
    maxEntries: Math.min(maxEntries, files.limits.maxEntries),
    maxBytes: files.limits.maxBytes,
    after: position?.after,
  };
  const job = { kind: 'tree', query, take: () => undefined } as const;
  const { text, entries, unreadable, end, last } = await runJob(files, directory, job, context);
  const after = end === 'limit' ? last : undefined;
  return {
    text,
    path: directory.shown,
    entries,
    unreadable,
    truncated: end !== 'complete',
    end,
    ...(after !== undefined && { nextCursor: await sealPosition(context, input, { skip: 0, after }) }),
  };
}

/** Creates a result with the tree as text and facts about the tree in `_meta`. */
export function directoryTreeResult({ text, end, ...facts }: DirectoryTree): Result {
  const notes: string[] = [];
  if (text === '') notes.push('The directory is empty.');
  if (facts.nextCursor !== undefined)
    notes.push(`${formatCount(facts.entries, 'entry is', 'entries are')} shown; ${continueWith(facts.nextCursor)}.`);
  else if (end !== 'complete') notes.push(`The tree is incomplete: ${ENDS[end]}; request a subdirectory.`);
  if (facts.unreadable > 0) notes.push(`${formatCount(facts.unreadable, 'directory', 'directories')} could not be read.`);
  return Result.text(text, { facts, title: 'Tree', ...(notes.length > 0 && { note: notes.join(' ') }) });
}

const ENDS = {
  limit: 'it is too large',
  scanned: 'the directory has too many entries',
  time: 'the time limit was reached',
} as const;
