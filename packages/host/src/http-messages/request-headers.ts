import type { IncomingMessage } from 'node:http';

import { HttpError } from './http-error.ts';

/** Returns the value of a header, or `undefined` if the request has no such header. Several values are joined. */
export function getHeader({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** Asserts that the client accepts all of the media types; without an Accept header, it accepts every type. @throws HttpError 406 */
export function assertAccepts(request: IncomingMessage, types: readonly string[]): void {
  const accepted = parseAccept(getHeader(request, 'accept') ?? '*/*');
  const isAccepted = (type: string): boolean =>
    [type, `${type.slice(0, type.indexOf('/'))}/*`, '*/*'].some((range) => accepted.has(range));
  if (!types.every(isAccepted)) throw new HttpError(406, `The Accept header must list ${types.join(' and ')}`);
}

/** The last header and its media ranges: most clients send the same header. */
let lastAccept = { header: '', ranges: new Set<string>() };

function parseAccept(header: string): ReadonlySet<string> {
  if (lastAccept.header !== header) lastAccept = { header, ranges: new Set(header.split(',').map(parseMediaType)) };
  return lastAccept.ranges;
}

/** Removes the parameters of a media range: the server has only one representation of each type. */
function parseMediaType(range: string): string {
  const [type = ''] = range.split(';', 1);
  return type.trim().toLowerCase();
}
