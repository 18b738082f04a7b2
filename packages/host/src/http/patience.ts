/** Milliseconds after which a call is answered by a stream, which proxies keep open and by which a client knows where to go on. */
export const PATIENCE_MS = 100;
