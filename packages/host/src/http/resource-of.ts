import type { IncomingMessage } from 'node:http';

/** Under which URL the client of a request knows a path: that of the service, or the name by which it asks. */
export type ResourceOf = (request: IncomingMessage) => URL;

export function resourceAt(path: string, publicUrl: string | undefined): ResourceOf {
  return ({ headers: { host = '' } }) => new URL(path, publicUrl ?? `http://${host}`);
}
