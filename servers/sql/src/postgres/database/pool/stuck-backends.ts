import { ToolError } from '@org/mcp-decorators';

import type { Connection } from '../connect/connection.ts';

/**
 * Backends that continue a statement although they were cancelled and terminated. PostgreSQL checks for interrupts between rows,
 * but not within an expression. The connections of these backends stay in use until the backends end. Replacing the connections
 * would let statements accumulate on the server.
 */
export class StuckBackends {
  readonly #connections = new Set<Connection>();

  /** Counts a connection as in use until the promise settles; never rejects. */
  async hold(connection: Connection, ended: Promise<unknown>): Promise<void> {
    this.#connections.add(connection);
    await ended.catch(() => undefined);
    this.#connections.delete(connection);
  }

  /** @throws ToolError OVERLOADED if all connections belong to stuck backends, because no connection would become free in time */
  requireFreeConnection({ maxConnections, isFixed }: { readonly maxConnections: number; readonly isFixed?: boolean }): void {
    if (this.#connections.size < maxConnections) return;
    const pids = Array.from(this.#connections, ({ processId }) => processId);
    const more = isFixed === true ? '' : '; the operator can allow more with --max-connections';
    throw new ToolError(
      'OVERLOADED',
      `statements that the database server does not stop use every connection (${maxConnections})`,
      {
        hint: `try again when these statements have ended by themselves${more}. Backends: ${pids.join(', ')}`,
        data: { retryable: true, backends: pids },
      },
    );
  }

  /** Closes the connections. The statements on the server continue. */
  release(): void {
    for (const connection of this.#connections) connection.destroy();
  }
}
