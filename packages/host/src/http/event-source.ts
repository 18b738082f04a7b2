import type { ServerResponse } from 'node:http';

/** A reader that has left more than this unread is disconnected when more comes: one result of the largest size, and more. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;

const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  // Proxies would otherwise hold messages back until their buffer is full.
  'X-Accel-Buffering': 'no',
};

/** Proxies close connections on which nothing is sent for a minute or so. */
const KEEP_ALIVE_MS = 15_000;

/** Begins a response of server-sent events; nothing happens if its client is gone. */
export function openEventStream(response: ServerResponse, headers: Readonly<Record<string, string>> = {}): void {
  if (response.destroyed) return;
  response.writeHead(200, { ...HEADERS, ...headers });
  response.flushHeaders();
  const beat = setInterval(() => writeFrame(response, ': keep-alive\n\n'), KEEP_ALIVE_MS).unref();
  response.once('close', () => clearInterval(beat));
}

/**
 * Writes to a stream and returns whether it was open. One whose reader has stalled is broken off, so that what it does not read does
 * not pile up here.
 */
export function writeFrame(response: ServerResponse, frame: string | Uint8Array): boolean {
  // Looked at before it is written: a message that is larger by itself can be read, too.
  if (response.writableLength > MAX_UNREAD_BYTES) response.destroy();
  if (response.destroyed || response.writableEnded) return false;
  response.write(frame);
  return true;
}

/** An event, without an id if it cannot be asked for again. */
export function messageFrame(json: string, id?: string): string {
  return id === undefined ? `event: message\ndata: ${json}\n\n` : `event: message\nid: ${id}\ndata: ${json}\n\n`;
}
