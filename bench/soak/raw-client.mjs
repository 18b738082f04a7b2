import { once } from 'node:events';
import { Agent, request } from 'node:http';

const HEADERS = { Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json' };

/** A client that keeps to no rule by itself: what it sends, reads and breaks off is up to its user. */
export function rawClient(url) {
  const agent = new Agent({ keepAlive: true });
  const begin = (method, headers) => request(url, { method, headers: { ...HEADERS, ...headers }, agent });
  return {
    /** Resolves to the response as soon as it has begun. Destroying it closes the connection. */
    async send(method, headers, message) {
      const sent = begin(method, headers);
      sent.end(message && JSON.stringify(message));
      const [response] = await once(sent, 'response');
      // A response that is broken off is broken off on purpose.
      return response.on('error', () => undefined);
    },

    /** Sends a request and is gone before it is answered. */
    async vanish(method, headers, message) {
      const sent = begin(method, headers);
      // That it gets no answer is what is wanted.
      sent.on('error', () => undefined);
      sent.end(JSON.stringify(message), () => sent.destroy());
      await new Promise((resolve) => sent.once('close', resolve));
    },

    /** Closes all connections, whatever is under way. */
    close: () => agent.destroy(),
  };
}

/** The messages of a response, each with the id of its event if it has one; a body of JSON is one message. */
export async function* messagesOf(response) {
  if (!response.headers['content-type']?.startsWith('text/event-stream')) {
    const text = await textOf(response);
    if (text !== '') yield { message: JSON.parse(text) };
    return;
  }
  let rest = '';
  for await (const text of response.setEncoding('utf8')) {
    const events = `${rest}${text}`.split('\n\n');
    rest = events.pop();
    yield* events.map(readEvent).filter((event) => event !== undefined);
  }
}

/** Reads a response until there is a message that matches, and leaves it open. */
export async function find(response, matches) {
  const messages = messagesOf(response);
  for (;;) {
    const { done, value } = await messages.next();
    if (done) throw new Error('a stream ended too early');
    if (value.message !== undefined && matches(value.message)) return value;
  }
}

/** Reads a response to its end; resolves to the message that answers a request. */
export async function answerIn(response, id) {
  let answer;
  for await (const { message } of messagesOf(response)) if (message?.id === id && message.method === undefined) answer = message;
  if (answer === undefined) throw new Error(`a response of ${response.statusCode} had no answer`);
  return answer;
}

/** Reads a response to its end. */
export async function textOf(response) {
  let read = '';
  for await (const text of response.setEncoding('utf8')) read += text;
  return read;
}

function readEvent(event) {
  const fields = Object.fromEntries(event.split('\n').map((line) => line.split(/: ?(.*)/s, 2)));
  if (fields.data === undefined) return undefined;
  return { id: fields.id, message: fields.data === '' ? undefined : JSON.parse(fields.data) };
}
