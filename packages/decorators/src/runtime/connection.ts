import type { ClientRoots } from './client-roots.ts';
import type { Served } from './served.ts';

/** What the handlers of one protocol instance share. */
export interface Connection {
  readonly served: Served;
  readonly clientRoots: ClientRoots;
}
