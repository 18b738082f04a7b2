import type { IncomingMessage } from 'node:http';

/** How many bytes the body of a request has, as it says itself; infinitely many if it comes in pieces. */
export function bodyLength({ headers }: IncomingMessage): number {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity;
}
