import type { ServerResponse } from 'node:http';

/**
 * Maximum number of unread bytes; if a client has more, the next message disconnects the client. Larger than the
 * largest result.
 */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;

const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  // Disables buffering by proxies, which would delay messages until the buffer is full.
  'X-Accel-Buffering': 'no',
};

/**
 * Interval of keep-alive comments in milliseconds, because proxies close connections after about a minute without data.
 */
const KEEP_ALIVE_MS = 15_000;

/** Starts a response of server-sent events. Does nothing if the client is gone. */
export function openEventStream(response: ServerResponse, headers: Readonly<Record<string, string>> = {}): void {
  if (response.destroyed) return;
  response.writeHead(200, { ...HEADERS, ...headers });
  response.flushHeaders();
  const beat = setInterval(() => writeFrame(response, ': keep-alive\n\n'), KEEP_ALIVE_MS).unref();
  response.once('close', () => clearInterval(beat));
}

/**
 * Writes to a stream. Returns whether the stream was open. Disconnects a client that does not read, so that unread data does not
 * accumulate in memory.
 */
export function writeFrame(response: ServerResponse, frame: string | Uint8Array): boolean {
  // The check precedes the write, so that a single message above the limit can be sent.
  if (response.writableLength > MAX_UNREAD_BYTES) response.destroy();
  if (response.destroyed || response.writableEnded) return false;
  response.write(frame);
  return true;
}

/** Formats a message as an event. Only an event with an id can be requested again. */
export function formatEvent(json: string, id?: string): string {
  return id === undefined ? `event: message\ndata: ${json}\n\n` : `event: message\nid: ${id}\ndata: ${json}\n\n`;
}
