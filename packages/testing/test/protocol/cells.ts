/** Every revision of the protocol, in their order. */
const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;

export type Revision = (typeof REVISIONS)[number];

/** `http` is Streamable HTTP, `sse` the two endpoints that 2024-11-05 had instead. */
export type Transport = 'stdio' | 'http' | 'sse';

/** One revision over one transport. */
export interface Cell {
  readonly revision: Revision;
  readonly transport: Transport;
}

/** The whole matrix. */
export const CELLS: readonly Cell[] = REVISIONS.flatMap((revision): readonly Cell[] => [
  { revision, transport: 'stdio' },
  { revision, transport: revision === '2024-11-05' ? 'sse' : 'http' },
]);

/** Whether a revision has no handshake: each of its requests says everything itself. */
export function isStateless(revision: Revision): boolean {
  return since(revision, '2026-07-28');
}

/** Whether a revision is another one or a later one. */
export function since(revision: Revision, first: Revision): boolean {
  return REVISIONS.indexOf(revision) >= REVISIONS.indexOf(first);
}
