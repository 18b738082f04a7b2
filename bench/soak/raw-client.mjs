import { once } from 'node:events';
import { Agent, request } from 'node:http';

const HEADERS = { Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json' };

/** Returns a client that enforces no rules: the caller decides what the client sends, reads and aborts. */
export function rawClient(url) {
  const agent = new Agent({ keepAlive: true });
  const begin = (method, headers) => request(url, { method, headers: { ...HEADERS, ...headers }, agent });
  return {
    /** Resolves to the response as soon as the response has begun. Destroying the response closes the connection. */
    async send(method, headers, message) {
      const sent = begin(method, headers);
      sent.end(message && JSON.stringify(message));
      const [response] = await once(sent, 'response');
      // The error of an aborted response is ignored, because clients abort responses on purpose.
      return response.on('error', () => undefined);
    },

    /** Sends a request and disconnects before the response. */
    async vanish(method, headers, message) {
      const sent = begin(method, headers);
      // The error of the missing response is ignored, because the client disconnects on purpose.
      sent.on('error', () => undefined);
      sent.end(JSON.stringify(message), () => sent.destroy());
      await new Promise((resolve) => sent.once('close', resolve));
    },

    /** Closes all connections, even during requests. */
    close: () => agent.destroy(),
  };
}

/** Yields the messages of a response, each with the id of its event, if any; a JSON body is one message. */
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

/** Reads a response up to the first matching message, and leaves the response open. */
export async function find(response, matches) {
  const messages = messagesOf(response);
  for (;;) {
    const { done, value } = await messages.next();
    if (done) throw new Error('a stream ended too early');
    if (value.message !== undefined && matches(value.message)) return value;
  }
}

/** Reads a whole response. Resolves to the message that answers a request. */
export async function answerIn(response, id) {
  let answer;
  for await (const { message } of messagesOf(response)) if (message?.id === id && message.method === undefined) answer = message;
  if (answer === undefined) throw new Error(`a response of ${response.statusCode} had no answer`);
  return answer;
}

/** Reads a whole response. */
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
