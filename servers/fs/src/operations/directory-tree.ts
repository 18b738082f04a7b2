import { Integer, OneOf, type RequestContext } from '@org/mcp-decorators';

import type { Files } from '../files.ts';
import { inThread } from '../walk/in-thread.ts';
import type { WalkEnd } from '../walk/job.ts';
import { openPosition, sealPosition } from './page.ts';
import { ScopeInput, scopeOf } from './scope.ts';

const FORMATS = ['json', 'compact'] as const;
const DEPTH = 3;
const MAX_DEPTH = 1000;

export class DirectoryTreeInput extends ScopeInput {
  @Integer(`Levels; default: ${DEPTH}`, { optional: true, min: 1, max: MAX_DEPTH }) maxDepth?: number;
  @Integer('Most entries', { optional: true, min: 1 }) maxEntries?: number;
  @OneOf(FORMATS, 'Default: compact, an indented name a line', { optional: true }) format?: 'json' | 'compact';
}

/** A tree as text, and what a reader has to know of it. */
export interface DirectoryTree {
  readonly text: string;
  /** The path that clients see. */
  readonly path: string;
  readonly entries: number;
  readonly unreadable: number;
  /** There is more than is shown of the levels that were asked for. */
  readonly truncated: boolean;
  readonly end: WalkEnd;
  readonly nextCursor?: string;
}

/**
 * The tree below a directory, breadth first, at most `maxEntries` and `maxBytes` of it: what is cut off lies deepest. Directories that are not
 * shown whole say so. Later pages show the directories above again.
 *
 * @throws ToolError INVALID_ARGUMENTS, TIMEOUT, OVERLOADED, and errors of `Roots.openDirectory`
 */
export async function directoryTree(files: Files, input: DirectoryTreeInput, context: RequestContext): Promise<DirectoryTree> {
  const position = await openPosition(context, input);
  await using directory = await files.roots.openDirectory(input.path);
  const { maxDepth = DEPTH, maxEntries = Infinity, format = 'compact' } = input;
  const query = {
    scope: await scopeOf(files, directory, input, { purpose: 'tree', maxDepth }),
    format,
    maxEntries: Math.min(maxEntries, files.limits.maxEntries),
    maxBytes: files.limits.maxBytes,
    after: position?.after,
  };
  const order = { kind: 'tree', query, take: () => undefined } as const;
  const { text, entries, unreadable, end, last } = await inThread(files, directory, order, context);
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
