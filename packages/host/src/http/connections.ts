import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Maximum number of unanswered requests on one connection, because each pipelined request takes memory of the server and costs
 * the client almost nothing.
 */
const MAX_WAITING = 100;

/** The connections of one principal, or all connections whose principal is unknown. */
interface Group {
  count: number;
  /** Connections without a request in progress, least recently used first. */
  readonly idle: Set<Socket>;
}

interface Connection {
  /** Number of unanswered requests. */
  unanswered: number;
  principal: string | undefined;
  group: Group;
}

/**
 * The connections of a server. Node delivers pipelined requests before the earlier ones are answered, does not report when the
 * connection of such a request closes, and regards a connection as idle while its response is still being sent.
 */
export class Connections {
  readonly #connections = new Map<Socket, Connection>();
  readonly #anonymous: Group = { count: 0, idle: new Set() };
  readonly #groups = new Map<string | undefined, Group>([[undefined, this.#anonymous]]);
  #keepsAlive = true;

  /** Number of open connections. */
  get count(): number {
    return this.#connections.size;
  }

  add(socket: Socket): void {
    this.#connections.set(socket, { unanswered: 0, principal: undefined, group: this.#anonymous });
    this.#anonymous.count += 1;
    this.#anonymous.idle.add(socket);
    socket.once('close', () => this.#remove(socket));
  }

  /** Records the principal of the latest admitted request on a connection. */
  identify(socket: Socket, principal: string | undefined): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined || principal === undefined || connection.principal === principal) return;
    const group = this.#groups.get(principal) ?? { count: 0, idle: new Set() };
    this.#groups.set(principal, group);
    this.#leaveGroup(socket, connection);
    connection.principal = principal;
    connection.group = group;
    group.count += 1;
    if (connection.unanswered === 0) group.idle.add(socket);
  }

  /**
   * Counts a request until its response is sent. Returns a promise if the request is pipelined. The promise resolves when the
   * earlier requests on the connection are answered; it never resolves if the connection closes earlier. Closes the connection if
   * more than 100 of its requests are unanswered.
   */
  enter({ socket }: IncomingMessage, response: ServerResponse): Promise<unknown> | undefined {
    this.#count(socket, 1);
    response.once('close', () => {
      if (this.#count(socket, -1) === 0 && !this.#keepsAlive) socket.destroy();
    });
    if (response.socket !== null) return undefined;
    if ((this.#connections.get(socket)?.unanswered ?? 0) > MAX_WAITING) socket.destroy();
    return once(response, 'socket');
  }

  /** Closes each connection when its requests in progress are answered. Does not close connections without such requests. */
  stopKeepingAlive(): void {
    this.#keepsAlive = false;
  }

  /** Closes all connections without a request in progress. */
  closeIdle(): void {
    for (const { idle } of this.#groups.values()) for (const socket of idle) socket.destroy();
  }

  /**
   * Closes the least recently used idle connection of one principal, to make room for another connection. The principal is the
   * one with the most connections among those with an idle connection. Connections whose principal is unknown count as the
   * connections of one principal, because anyone can open them. Returns `false` if no connection is idle.
   */
  closeOneIdle(): boolean {
    let largest: Group | undefined;
    for (const group of this.#groups.values()) if (group.idle.size > 0 && group.count > (largest?.count ?? 0)) largest = group;
    for (const socket of largest?.idle ?? []) {
      this.#remove(socket);
      socket.destroy();
      return true;
    }
    return false;
  }

  #count(socket: Socket, change: 1 | -1): number {
    const connection = this.#connections.get(socket);
    if (connection === undefined) return change;
    connection.unanswered += change;
    const { unanswered, group } = connection;
    if (unanswered === 0) group.idle.add(socket);
    else group.idle.delete(socket);
    return unanswered;
  }

  #remove(socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (connection !== undefined) this.#leaveGroup(socket, connection);
    this.#connections.delete(socket);
  }

  #leaveGroup(socket: Socket, { group, principal }: Connection): void {
    group.count -= 1;
    group.idle.delete(socket);
    if (group.count === 0 && principal !== undefined) this.#groups.delete(principal);
  }
}
