import type { IncomingMessage } from 'node:http';

import { HttpError } from './http-error.ts';

/**
 * Returns the URL that the client of a request uses for the path of this resource.
 *
 * @throws HttpError 400 if the Host header is not valid
 */
export type GetResourceUrl = (request: IncomingMessage) => URL;

/** Builds URLs from the public URL, or without one from the Host header of the request. */
export function createResourceUrls(path: string, publicUrl: string | undefined): GetResourceUrl {
  return ({ headers: { host = '' } }) => {
    const origin = publicUrl ?? `http://${host}`;
    if (!URL.canParse(path, origin)) throw new HttpError(400, 'The Host header is not a valid host name');
    return new URL(path, origin);
  };
}
