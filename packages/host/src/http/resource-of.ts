import type { IncomingMessage } from 'node:http';

import { Refusal } from './refusal.ts';

/** Under which URL the client of a request knows a path: that of the service, or the name by which it asks. @throws Refusal 400 */
export type ResourceOf = (request: IncomingMessage) => URL;

export function resourceAt(path: string, publicUrl: string | undefined): ResourceOf {
  return ({ headers: { host = '' } }) => {
    const origin = publicUrl ?? `http://${host}`;
    if (!URL.canParse(path, origin)) throw new Refusal(400, 'The Host header names no host');
    return new URL(path, origin);
  };
}
