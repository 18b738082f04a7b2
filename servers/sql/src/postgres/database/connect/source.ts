import type { Dial } from '../protocol/cancel.ts';
import type { ConnectionSettings } from '../protocol/driver.ts';

/** A database server to connect to, and the credentials. */
export interface Source extends AsyncDisposable {
  /** Whether the server is the embedded PostgreSQL, whose roles this package created. */
  readonly embedded: boolean;
  /** The name of the database on its server. */
  readonly database: string;
  /** Warning about a risk from the network, with its remedy. Absent without such a risk. */
  readonly exposure?: string | undefined;
  /** The way to the server, such as `ssh to bastion`. Absent for a direct connection. */
  readonly route?: string | undefined;
  /** Creates a stream to the server, for a CancelRequest. Absent if a socket reaches the server. */
  readonly dial?: Dial | undefined;
  /** Resolves with the connection options. If the server is embedded, the server accepts connections before the promise resolves. */
  config(): Promise<ConnectionSettings>;
  /**
   * Chooses other connection options after connecting failed. Returns `true` if the same call may connect again with the new
   * options. Returns `false` if only the next call uses the new options, and `undefined` if the options stay the same.
   */
  planRetry?(error: unknown): boolean | undefined;
  /** Notifies the source that a call has ended, so that background work may begin. */
  onCallEnd?(): void;
  /** The same database with the role that writes. Absent if the same role reads and writes. */
  readonly writer?: Source;
}
