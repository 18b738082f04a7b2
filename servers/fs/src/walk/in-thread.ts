import type { Caller, RequestContext } from '@org/mcp-decorators';
import { refused, type OpenDirectory } from '@org/mcp-roots';

import type { Files } from '../files.ts';
import { errorCode } from '../error-code.ts';
import type { JobKind, Jobs } from './job.ts';

/** What a thread is to do, and what becomes of each piece that it finds while it goes on. */
interface Order<Kind extends JobKind> {
  readonly kind: Kind;
  readonly query: Jobs[Kind]['query'];
  readonly take: (item: Jobs[Kind]['item']) => void;
}

/** The call for which a thread works. */
interface Call extends Pick<RequestContext, 'signal' | 'progress'> {
  /** Default: the caller behind the signal. */
  readonly caller?: Caller | undefined;
}

/**
 * Has a thread go through a directory, and reports its progress.
 *
 * @returns what it says at the end
 * @throws ToolError TIMEOUT, OVERLOADED, and file system errors for the directory itself
 */
export async function inThread<Kind extends JobKind>(
  { threads, limits }: Files,
  directory: OpenDirectory,
  { kind, query, take }: Order<Kind>,
  context: Call,
): Promise<Jobs[Kind]['summary']> {
  const onFound = (items: readonly Jobs[Kind]['item'][], scanned: number): void => {
    for (const item of items) take(item);
    context.progress(scanned);
  };
  try {
    const ground = await directory.threadGround();
    const { signal, caller } = context;
    return await threads.run({ kind, query, ground, signal, budgetMs: limits.maxSearchMs, onFound }, caller);
  } catch (error) {
    throw errorCode(error) === undefined ? error : refused(directory.shown, error);
  }
}
