/** All revisions of the protocol, oldest first. */
const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;

export type Revision = (typeof REVISIONS)[number];

/** `http` is Streamable HTTP; `sse` means the two endpoints of 2024-11-05. */
export type Transport = 'stdio' | 'http' | 'sse';

/** One revision over one transport. */
export interface Cell {
  readonly revision: Revision;
  readonly transport: Transport;
}

/** All combinations of revision and transport that exist. */
export const CELLS: readonly Cell[] = REVISIONS.flatMap((revision): readonly Cell[] => [
  { revision, transport: 'stdio' },
  { revision, transport: revision === '2024-11-05' ? 'sse' : 'http' },
]);

/** Whether a revision has no handshake, so that each request is self-contained. */
export function isStateless(revision: Revision): boolean {
  return since(revision, '2026-07-28');
}

/** Whether a revision is the same as another one or later. */
export function since(revision: Revision, first: Revision): boolean {
  return REVISIONS.indexOf(revision) >= REVISIONS.indexOf(first);
}
