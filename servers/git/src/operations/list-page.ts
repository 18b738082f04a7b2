import { Text, ToolError } from '@org/mcp-decorators';
import { firstThatFit } from '@org/mcp-host';

import type { Limits } from '../repository/repository.ts';
import { RepositoryInput } from './repository-input.ts';

/** Input of a tool that lists something page by page. */
export class ListInput extends RepositoryInput {
  @Text('next_cursor of the last answer', { optional: true }) cursor?: string;
}

/** A part of a list. */
export interface ListPage<Item> {
  readonly items: Item[];
  /** Present if items follow. */
  readonly next_cursor?: string;
}

interface Wanted extends Pick<Limits, 'maxBytes'> {
  readonly cursor?: string | undefined;
  /** Most items. */
  readonly most: number;
}

/**
 * Returns the items of a list from its cursor on, as many as fit.
 *
 * @throws ToolError INVALID_ARGUMENTS for a cursor that no list returned, or that is past the end
 */
export function listPage<Item>(all: readonly Item[], { cursor, most, maxBytes }: Wanted): ListPage<Item> {
  const skip = skipOf(cursor);
  requireWithin(skip, all.length);
  const items = firstThatFit(all.slice(skip, skip + most), maxBytes);
  const end = skip + items.length;
  return { items, ...(end < all.length && items.length > 0 && { next_cursor: String(end) }) };
}

/** Returns how many items the pages before a cursor contained. @throws ToolError INVALID_ARGUMENTS */
export function skipOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor);
  throw unknownCursor();
}

/**
 * Rejects a cursor past the end: an empty page would say that the list is empty.
 *
 * @throws ToolError INVALID_ARGUMENTS
 */
export function requireWithin(skip: number, length: number): void {
  if (skip > 0 && skip >= length)
    throw new ToolError('INVALID_ARGUMENTS', 'the cursor is past the end: the list is shorter now', {
      hint: 'call again without cursor',
    });
}

/** The error for a cursor that the tool did not return. */
export function unknownCursor(): ToolError {
  return new ToolError('INVALID_ARGUMENTS', 'the cursor is unknown: this tool did not return it', {
    hint: 'leave it out to begin again',
  });
}
