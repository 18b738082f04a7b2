import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** More requests may not wait on one connection for the answer to another: each is kept, and costs its sender next to nothing. */
const MAX_WAITING = 100;

/**
 * The connections of a server. Node hands over what a client sends ahead before it has answers (pipelining), tells nobody when the
 * connection of such a request closes, and takes one whose answer is still on its way for idle.
 */
export class Connections {
  /** How many requests of each are not answered yet. */
  readonly #unanswered = new Map<Socket, number>();
  #keepsAlive = true;

  /** Open connections. */
  get count(): number {
    return this.#unanswered.size;
  }

  add(socket: Socket): void {
    this.#unanswered.set(socket, 0);
    socket.once('close', () => this.#unanswered.delete(socket));
  }

  /**
   * Counts a request until its answer is sent; resolves, if it has to wait, when those before it on its connection are answered, and
   * never if the connection closes before.
   */
  enter({ socket }: IncomingMessage, response: ServerResponse): Promise<unknown> | undefined {
    this.#count(socket, 1);
    response.once('close', () => {
      if (this.#count(socket, -1) === 0 && !this.#keepsAlive) socket.destroy();
    });
    if (response.socket !== null) return undefined;
    if ((this.#unanswered.get(socket) ?? 0) > MAX_WAITING) socket.destroy();
    return once(response, 'socket');
  }

  /** From now on each is closed after its answer. */
  stopKeepingAlive(): void {
    this.#keepsAlive = false;
  }

  /** Closes those on which nothing is under way. */
  closeIdle(): void {
    for (const [socket, unanswered] of this.#unanswered) if (unanswered === 0) socket.destroy();
  }

  #count(socket: Socket, change: 1 | -1): number {
    const before = this.#unanswered.get(socket);
    if (before !== undefined) this.#unanswered.set(socket, before + change);
    return (before ?? 0) + change;
  }
}
