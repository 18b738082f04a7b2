import { Text, ToolError } from '@org/mcp-decorators';
import { takeFittingItems } from '@org/mcp-host';

import type { Limits } from '../../repository/repository.ts';
import { RepoPath } from './repository-input.ts';

/** Input of a tool that returns a list in pages. */
export class ListInput {
  @RepoPath() repo_path?: string;
  @Text('next_cursor of the previous page', { optional: true }) cursor?: string;
}

/** One page of a list. */
interface ListPage<Item> {
  readonly items: Item[];
  /** Cursor of the next page; absent on the last page. */
  readonly next_cursor?: string;
}

interface PageOptions extends Pick<Limits, 'maxBytes'> {
  readonly cursor?: string | undefined;
  /** Maximum number of items on the page. */
  readonly most: number;
}

/**
 * Returns the page of a list that starts at a cursor, limited by number and bytes.
 *
 * @throws ToolError INVALID_ARGUMENTS if the cursor is unknown or past the end of the list
 */
export function listPage<Item>(all: readonly Item[], { cursor, most, maxBytes }: PageOptions): ListPage<Item> {
  const skip = parseSkip(cursor);
  requireWithin(skip, all.length);
  const items = takeFittingItems(all.slice(skip, skip + most), maxBytes);
  const end = skip + items.length;
  return { items, ...(end < all.length && items.length > 0 && { next_cursor: String(end) }) };
}

/** Returns the number of items on the pages before a cursor. @throws ToolError INVALID_ARGUMENTS if the cursor is unknown */
export function parseSkip(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor);
  throw unknownCursorError();
}

/**
 * Rejects a cursor past the end, because an empty page would look like an empty list.
 *
 * @throws ToolError INVALID_ARGUMENTS
 */
export function requireWithin(skip: number, length: number): void {
  if (skip > 0 && skip >= length)
    throw new ToolError('INVALID_ARGUMENTS', 'the cursor is past the end of the list, which has become shorter', {
      hint: 'omit the cursor to start again',
    });
}

/** Returns the error for a cursor that the tool did not return. */
export function unknownCursorError(): ToolError {
  return new ToolError('INVALID_ARGUMENTS', 'the cursor is unknown: this tool did not return it', {
    hint: 'omit the cursor to start again',
  });
}
