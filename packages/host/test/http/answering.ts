import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that answers with one function; `await using` closes it, and what is open. */
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

/** Asks with what Node has, so that a test sees the answer as it comes. */
export async function ask({ port }: Answering, path = '/'): Promise<IncomingMessage> {
  const asked = request({ port, path, agent: false }).end();
  const [answer]: IncomingMessage[] = await once(asked, 'response');
  if (answer === undefined) throw new Error('there was no answer');
  return answer;
}

/** The whole body; rejects if it is broken off. */
export async function bodyOf(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of answer.setEncoding('utf8')) text += String(chunk);
  return text;
}
