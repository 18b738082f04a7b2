import type { Transport } from '@modelcontextprotocol/client';

/**
 * Hands on each message of a connected transport once the one before it was dealt with.
 *
 * The official client deals with a notification a moment later, with a result at once: of what arrives together, as it does over
 * a pipe, the progress reports before a result would belong to no call any more.
 */
export function receiveInTurn(transport: Transport): void {
  const { onmessage } = transport;
  if (onmessage === undefined) return;
  let turn = Promise.resolve();
  transport.onmessage = (message, extra) => {
    turn = turn.then(() => onmessage(message, extra)).catch((error: Error) => transport.onerror?.(error));
  };
}
