import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that answers with one function; `await using` closes the server and its connections. */
export interface Answering extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
}

export async function answering(answer: (asked: IncomingMessage, response: ServerResponse) => unknown): Promise<Answering> {
  const server = createServer((asked, response) => void answer(asked, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Sends a request with `node:http`, so that a test can read the response chunk by chunk. */
export async function ask({ port }: Answering, path = '/'): Promise<IncomingMessage> {
  const asked = request({ port, path, agent: false }).end();
  const [answer]: IncomingMessage[] = await once(asked, 'response');
  if (answer === undefined) throw new Error('there was no answer');
  return answer;
}

/** Returns the whole body; rejects if the response is aborted. */
export async function bodyOf(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of answer.setEncoding('utf8')) text += String(chunk);
  return text;
}
