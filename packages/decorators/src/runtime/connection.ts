import type { ProtocolEra, Server } from '@modelcontextprotocol/server';

import type { KnownRoots } from './questions/client-roots.ts';
import type { Served } from './served.ts';

/** What the handlers of one protocol instance share. */
export interface Connection {
  readonly served: Served;
  readonly server: Server;
  readonly era: ProtocolEra;
  readonly knownRoots: KnownRoots;
  /** Tells this connection from others, where nothing else names the caller. */
  readonly id: string;
}
