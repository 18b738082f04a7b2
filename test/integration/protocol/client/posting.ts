import { request } from 'node:http';

import type { Message, Params } from '../messages/message.ts';
import type { RawClient } from './raw-client.ts';
import { eventsOf, isStream, type StreamEvent } from '../wires/events.ts';
import { HttpWire } from '../wires/http-wire.ts';
import { SseWire } from '../wires/sse-wire.ts';

/** Headers that are sent in addition to the usual ones or replace them; `undefined` omits a header. */
export type Changed = Readonly<Record<string, string | undefined>>;

/** Returns the wire of a client. @throws Error if the client does not use HTTP */
export function wireOf({ wire }: RawClient): HttpWire | SseWire {
  if (wire instanceof HttpWire || wire instanceof SseWire) return wire;
  throw new Error('the client does not use HTTP');
}

/** Creates a request with the metadata that the revision requires. */
export function requestOf(client: RawClient, method: string, params: Params = {}): Message {
  return { jsonrpc: '2.0', id: client.nextId(), method, params: client.complete(params) };
}

/** Creates a call of a tool. */
export function callOf(client: RawClient, name: string, given: object = {}, meta: Params['_meta'] = {}): Message {
  return requestOf(client, 'tools/call', { name, arguments: given, _meta: meta });
}

/** Returns the headers of a message, with changes. */
export function headersOf(client: RawClient, message: Message | undefined, changed: Changed = {}): Record<string, string> {
  const all: Changed = { ...wireOf(client).headersFor(message), ...changed };
  return Object.fromEntries(Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** Posts a message or any other text. The client does not process the response. */
export function post(client: RawClient, message: Message | string, changed?: Changed, signal?: AbortSignal): Promise<Response> {
  const [body, said] = typeof message === 'string' ? [message, undefined] : [JSON.stringify(message), message];
  const headers = headersOf(client, said, changed);
  return fetch(wireOf(client).url, { method: 'POST', headers, body, ...(signal && { signal }) });
}

/** Returns the status of the response to a GET request with this Host header. */
export function statusByHost(url: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { method: 'GET', headers: { host } }, (response) => {
      resolve(response.statusCode);
      response.destroy();
    })
      .on('error', reject)
      .end();
  });
}

/**
 * Returns the message that answers a POST: the body, or the last message of the stream. Returns `undefined` if there is no
 * message.
 */
export async function answerOf(response: Response): Promise<Message | undefined> {
  return (await messagesOf(response)).at(-1);
}

/** Returns all messages of a response. */
export async function messagesOf(response: Response): Promise<readonly Message[]> {
  if (isStream(response)) return (await allEventsOf(response)).flatMap(({ data }) => (data ? [parse(data)] : []));
  const body = await response.text();
  return body === '' ? [] : [parse(body)];
}

/** Returns all events of a stream. */
export async function allEventsOf(response: Response): Promise<readonly StreamEvent[]> {
  const events: StreamEvent[] = [];
  for await (const event of eventsOf(response)) events.push(event);
  return events;
}

function parse(text: string): Message {
  return JSON.parse(text);
}
