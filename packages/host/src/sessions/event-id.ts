import type { RequestId } from '@modelcontextprotocol/server';

/** Position of an event in a session. */
export interface EventPosition {
  /** Number of processes that had the session before the one that sent the event. */
  readonly generation: number;
  readonly stream: number;
  /** Position in the stream, from 1, without gaps; 0 before the first event. */
  readonly index: number;
  /** Requests that the stream answers, if another process may have to answer them: see {@link formatRequests}. */
  readonly requests?: string;
}

/** Maximum length of the requests in an id; HTTP clients send the id as a header. */
const MAX_REQUESTS = 400;

const FORM = /^(?:(\d{1,9})\.)?(\d{1,15})-(\d{1,15})(?:\.([\w-]{1,400}))?$/;

/** Creates the event id, which a client returns in `Last-Event-ID`. */
export function formatEventId({ generation, stream, index, requests = '' }: EventPosition): string {
  return `${generation === 0 ? '' : `${generation}.`}${stream}-${index}${requests === '' ? '' : `.${requests}`}`;
}

/** Parses a `Last-Event-ID`. Returns `undefined` if the id does not have the form of an event id. */
export function parseEventId(id: string): EventPosition | undefined {
  const [, generation = 0, stream, index, requests] = FORM.exec(id) ?? [];
  if (stream === undefined || index === undefined) return undefined;
  const position = { generation: Number(generation), stream: Number(stream), index: Number(index) };
  return requests === undefined ? position : { ...position, requests };
}

/** Returns the ids of requests as a part of an event id; empty if they are too long. */
export function formatRequests(ids: readonly RequestId[]): string {
  const text = Buffer.from(JSON.stringify(ids)).toString('base64url');
  return text.length > MAX_REQUESTS ? '' : text;
}

/** Parses a text of {@link formatRequests}. Returns no ids for any other text, because a client may have made up the text. */
export function parseRequests(text = ''): readonly RequestId[] {
  try {
    const ids: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string' || typeof id === 'number') : [];
  } catch {
    return [];
  }
}
