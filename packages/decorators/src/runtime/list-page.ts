import { ProtocolError, ProtocolErrorCode, type ServerContext } from '@modelcontextprotocol/server';

import type { Sealing } from './sealing.ts';

/** Entries of one page, unless the server says otherwise: few clients ask for a second one. */
const PAGE_SIZE = 1000;

/** One list of a server's, in pages. */
export interface ListOptions<Entry> {
  readonly name: string;
  readonly entries: readonly Entry[];
  /** Entries that are passed over. Default: none. */
  readonly offers?: ((entry: Entry) => boolean) | undefined;
  readonly pageSize?: number | undefined;
  readonly sealing: Sealing;
}

/** One page, and where the next begins if there is one. */
export interface Page<Entry> {
  readonly entries: Entry[];
  readonly nextCursor?: string;
}

/** The page that a cursor points to; the first without one. @throws ProtocolError −32602 for a cursor that is not one of this list's */
export async function listPage<Entry>(
  { name, entries, offers = () => true, pageSize = PAGE_SIZE, sealing }: ListOptions<Entry>,
  cursor: string | undefined,
  context: ServerContext,
): Promise<Page<Entry>> {
  const page: Entry[] = [];
  let position = cursor === undefined ? 0 : await positionOf(cursor, name, sealing, context);
  for (; position < entries.length && page.length < pageSize; position += 1) {
    const entry = entries[position];
    if (entry !== undefined && offers(entry)) page.push(entry);
  }
  if (!entries.slice(position).some(offers)) return { entries: page };
  return { entries: page, nextCursor: await sealing.cursors.mint({ list: name, from: position }) };
}

async function positionOf(cursor: string, name: string, { cursors }: Sealing, context: ServerContext): Promise<number> {
  const { list, from } = await cursors.verify(cursor, context).catch(() => ({ list: undefined, from: 0 }));
  if (list === name) return from;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired cursor');
}
