import { ToolError } from '@org/mcp-decorators';

import type { Connection } from './connection.ts';

/**
 * Backends that go on with a statement although they were cancelled and terminated. PostgreSQL looks for interrupts between rows, not
 * within an expression. Their connections stay in use until they end: replacing each would let statements pile up on the server.
 */
export class StuckBackends {
  readonly #connections = new Set<Connection>();

  /** Counts a connection as in use until the promise settles; never rejects. */
  async hold(connection: Connection, ended: Promise<unknown>): Promise<void> {
    this.#connections.add(connection);
    await ended.catch(() => undefined);
    this.#connections.delete(connection);
  }

  /**
   * Refuses another call if all connections belong to such backends: waiting for one would be in vain.
   *
   * @throws ToolError OVERLOADED
   */
  requireRoom(maxConnections: number): void {
    if (this.#connections.size < maxConnections) return;
    const pids = Array.from(this.#connections, ({ processId }) => processId);
    throw new ToolError(
      'OVERLOADED',
      `all ${maxConnections} connections are in use by statements that the database server does not stop`,
      {
        hint: `try again when they have ended by themselves; the operator can allow more with --max-connections. Backends: ${pids.join(', ')}`,
        data: { retryable: true, backends: pids },
      },
    );
  }

  /** Closes their connections, which ends nothing on the server. */
  release(): void {
    for (const connection of this.#connections) connection.destroy();
  }
}
