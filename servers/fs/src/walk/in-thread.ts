import type { RequestContext } from '@org/mcp-decorators';
import { refused, type OpenDirectory } from '@org/mcp-roots';

import type { Files } from '../files.ts';
import { codeOf } from './code-of.ts';
import type { JobKind, Jobs } from './job.ts';

/** What a thread found, and what it said at the end. */
export interface Outcome<Kind extends JobKind> {
  readonly items: readonly Jobs[Kind]['item'][];
  readonly summary: Jobs[Kind]['summary'];
}

/**
 * Has a thread go through a directory, and reports its progress.
 *
 * @throws ToolError TIMEOUT, and those of the file system for the directory itself
 */
export async function inThread<Kind extends JobKind>(
  { threads, limits }: Files,
  directory: OpenDirectory,
  { kind, query }: { readonly kind: Kind; readonly query: Jobs[Kind]['query'] },
  context: Pick<RequestContext, 'signal' | 'progress'>,
): Promise<Outcome<Kind>> {
  const items: Jobs[Kind]['item'][] = [];
  const onFound = (found: readonly Jobs[Kind]['item'][], scanned: number): void => {
    for (const item of found) items.push(item);
    context.progress(scanned);
  };
  try {
    const ground = await directory.threadGround();
    const { signal } = context;
    return { items, summary: await threads.run({ kind, query, ground, signal, budgetMs: limits.maxSearchMs, onFound }) };
  } catch (error) {
    throw codeOf(error) === undefined ? error : refused(directory.shown, error);
  }
}
