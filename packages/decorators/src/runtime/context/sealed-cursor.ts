import type { RequestContext } from './request-context.ts';

/**
 * Returns the input with its cursor, which {@link sealCursor} created, replaced by the original cursor.
 * @throws ToolError INVALID_ARGUMENTS for any other cursor
 */
export async function openCursor<Input extends { readonly cursor?: string }>(
  input: Input,
  context: RequestContext,
): Promise<Input> {
  if (input.cursor === undefined) return input;
  return { ...input, cursor: String(await context.unseal(input.cursor)) };
}

/** Returns the page with its cursor sealed: models have to copy cursors, and a handle is shorter than most cursors. */
export async function sealCursor<Page extends { readonly next_cursor?: string }>(
  page: Page,
  context: RequestContext,
): Promise<Page> {
  if (page.next_cursor === undefined) return page;
  return { ...page, next_cursor: await context.seal(page.next_cursor) };
}
