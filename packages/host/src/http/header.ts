import type { IncomingMessage } from 'node:http';

/** A header that is sent once; `undefined` without it. Node joins what is sent several times. */
export function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}
