import type { Listed, Result } from './message.ts';
import type { RawClient } from './raw-client.ts';

/** The member of a list's result that holds its entries. */
export const LISTS = {
  'tools/list': 'tools',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'prompts/list': 'prompts',
} as const;

export type ListMethod = keyof typeof LISTS;

/** The pages of a list, in their order. */
export async function pagesOf(client: RawClient, method: ListMethod): Promise<readonly Result[]> {
  const pages: Result[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.result(method, cursor === undefined ? {} : { cursor });
    pages.push(page);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return pages;
}

/** Everything that a list has. */
export async function listOf(client: RawClient, method: ListMethod): Promise<readonly Listed[]> {
  return (await pagesOf(client, method)).flatMap((page) => page[LISTS[method]] ?? []);
}

/** The text of a result, its blocks put together. */
export function textOf({ content = [] }: Result): string {
  return content.map(({ text }) => text ?? '').join('');
}

/** Another round trip: over stdio, what was sent before it has come when it is over. */
export async function roundTrip(client: RawClient): Promise<void> {
  await client.call('echo', { text: 'over' });
}
