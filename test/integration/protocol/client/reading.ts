import type { Listed, Result } from '../messages/message.ts';
import type { RawClient } from './raw-client.ts';

/** The member of the result that contains the entries, by the method of a list. */
export const LISTS = {
  'tools/list': 'tools',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'prompts/list': 'prompts',
} as const;

export type ListMethod = keyof typeof LISTS;

/** Returns the pages of a list in order. */
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

/** Returns all entries of a list. */
export async function listOf(client: RawClient, method: ListMethod): Promise<readonly Listed[]> {
  return (await pagesOf(client, method)).flatMap((page) => page[LISTS[method]] ?? []);
}

/** Returns the text of a result, with its blocks joined. */
export function textOf({ content = [] }: Result): string {
  return content.map(({ text }) => text ?? '').join('');
}

/** Makes a round trip: over stdio, all messages that were sent before have then arrived. */
export async function roundTrip(client: RawClient): Promise<void> {
  await client.call('echo', { text: 'over' });
}
