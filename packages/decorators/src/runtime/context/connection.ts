import type { ClientConnection, StructuredMode } from '../client/client.ts';
import type { KnownRoots } from '../input-requests/client-roots.ts';
import type { Consents } from '../seals/consent.ts';
import type { Sealing } from '../seals/sealing.ts';
import type { SpentSeals } from '../seals/spent-seals.ts';

/** State of a server object, shared by all connections of the object. */
export interface ServerState {
  readonly server: object;
  readonly sealing: Sealing;
  readonly spent: SpentSeals;
  readonly consents: Consents;
  readonly structured: StructuredMode;
}

/** One protocol instance with the state of its server object. */
export interface Connection<State extends ServerState = ServerState> extends ClientConnection {
  readonly runtime: State;
  /**
   * The remembered roots of the session's client; a new object replaces them when the client announces that its roots have
   * changed.
   */
  knownRoots: KnownRoots;
}
