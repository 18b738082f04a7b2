import type { ServerResponse } from 'node:http';

/** A reader that leaves more than this unread is disconnected: one result of the largest size, and more. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;

const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  // Proxies would otherwise hold messages back until their buffer is full.
  'X-Accel-Buffering': 'no',
};

/** Proxies close connections on which nothing is sent for a minute or so. */
const KEEP_ALIVE_MS = 15_000;

/** Begins a response of server-sent events. */
export function openEventStream(response: ServerResponse, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(200, { ...HEADERS, ...headers });
  response.flushHeaders();
  const beat = setInterval(() => writeFrame(response, ': keep-alive\n\n'), KEEP_ALIVE_MS);
  response.once('close', () => clearInterval(beat));
}

/** Writes to a stream; one whose reader has stalled is broken off, so that what it does not read does not pile up here. */
export function writeFrame(response: ServerResponse, frame: string | Uint8Array): void {
  response.write(frame);
  if (response.writableLength > MAX_UNREAD_BYTES) response.destroy();
}

/** An event, without an id if it cannot be asked for again. */
export function messageFrame(json: string, id?: string): string {
  return id === undefined ? `event: message\ndata: ${json}\n\n` : `event: message\nid: ${id}\ndata: ${json}\n\n`;
}
