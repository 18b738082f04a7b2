import type { IncomingMessage, ServerResponse } from 'node:http';

import { messageFrame, writeFrame } from './event-source.ts';

/** A request as handlers of the web platform take it, without its body; aborted when the client goes before it is answered. */
export function toWebRequest({ method = 'GET', url = '/', headers }: IncomingMessage, response: ServerResponse): Request {
  const given = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  return new Request(new URL(url, 'http://localhost'), { method, headers: given, signal: goneSignal(response) });
}

/** Answers with a response of the web platform, whose body is an event where a stream has begun already. */
export async function answerWith(answer: Response, response: ServerResponse): Promise<void> {
  const headers = Object.fromEntries(answer.headers);
  // It is about the connection to the client, which is Node's to manage.
  delete headers['connection'];
  const isStream = answer.body !== null && headers['content-type'] === 'text/event-stream';
  if (response.headersSent && !isStream) {
    writeFrame(response, messageFrame(await answer.text()));
    response.end();
    return;
  }
  if (!response.headersSent) response.writeHead(answer.status, headers);
  if (isStream) {
    response.flushHeaders();
    await copy(answer.body, response);
    response.end();
  } else response.end(await answer.text());
}

function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  // It says so but once, and perhaps said it already.
  if (response.destroyed) gone.abort();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}

/** Never waits for a slow reader: messages would pile up at the other end, where nobody counts them. */
async function copy(body: ReadableStream<Uint8Array>, response: ServerResponse): Promise<void> {
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  if (response.destroyed) cancel();
  response.once('close', cancel);
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    writeFrame(response, value);
  }
}
