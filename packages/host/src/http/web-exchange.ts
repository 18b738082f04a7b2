import type { IncomingMessage, ServerResponse } from 'node:http';

import { writeFrame } from './event-source.ts';

/** A request as handlers of the web platform take it, without its body; aborted when the client goes before it is answered. */
export function toWebRequest({ method = 'GET', url = '/', headers }: IncomingMessage, response: ServerResponse): Request {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  const given = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || name.startsWith(':') ? [] : [[name, String(value)] as [string, string]],
  );
  return new Request(new URL(url, 'http://localhost'), { method, headers: given, signal: gone.signal });
}

/** Answers with a response of the web platform. */
export async function answerWith(answer: Response, response: ServerResponse): Promise<void> {
  const headers = Object.fromEntries(answer.headers);
  // It is about the connection to the client, which is Node's to manage.
  delete headers['connection'];
  response.writeHead(answer.status, headers);
  if (answer.body === null || headers['content-type'] !== 'text/event-stream') {
    response.end(await answer.text());
    return;
  }
  response.flushHeaders();
  await copy(answer.body, response);
  response.end();
}

/** Never waits for a slow reader: messages would pile up at the other end, where nobody counts them. */
async function copy(body: ReadableStream<Uint8Array>, response: ServerResponse): Promise<void> {
  const reader = body.getReader();
  response.once('close', () => void reader.cancel().catch(() => undefined));
  for (;;) {
    const { done, value } = await reader.read();
    if (done || response.destroyed) return;
    writeFrame(response, value);
  }
}
