import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

import { messageFrame, writeFrame } from './event-source.ts';

/** A request as handlers of the web platform take it, without its body; aborted when the client goes before it is answered. */
export class WebRequest extends Request {
  readonly response: ServerResponse;
  // That of the platform follows the one it is given, which costs more than all the rest of a request.
  override readonly signal: AbortSignal;
  readonly #gone: AbortController;

  constructor({ method = 'GET', url = '/', headers }: IncomingMessage, response: ServerResponse) {
    super(new URL(url, 'http://localhost'), { method, headers: pairsOf(headers) });
    this.response = response;
    this.#gone = goneController(response);
    this.signal = this.#gone.signal;
  }

  /** Aborts the handling of the request, as if the client had disconnected. */
  abort(): void {
    this.#gone.abort();
  }
}

/** Answers with a response of the web platform, whose body is an event where a stream has begun already. */
export async function answerWith(answer: Response, response: ServerResponse): Promise<void> {
  const { body, headers, status } = answer;
  if (!response.headersSent) setHead(response, status, headers);
  if (body !== null && headers.get('content-type') === 'text/event-stream') {
    response.flushHeaders();
    // Never waits for a slow reader: messages would pile up at the other end, where nobody counts them, which ends when the client goes.
    for await (const chunk of body) writeFrame(response, chunk);
    response.end();
    return;
  }
  const text = await answer.text();
  if (response.headersSent) writeFrame(response, messageFrame(text));
  response.end(response.headersSent ? undefined : text);
}

/** Node sends it with the body, if that comes at once, and with its length. */
function setHead(response: ServerResponse, status: number, headers: Headers): void {
  response.statusCode = status;
  for (const [name, value] of headers) {
    // It is about the connection to the client, which is Node's to manage.
    if (name !== 'connection') response.setHeader(name, value);
  }
}

function pairsOf(headers: IncomingHttpHeaders): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
}

function goneController(response: ServerResponse): AbortController {
  const gone = new AbortController();
  // It says so but once, and perhaps said it already.
  if (response.destroyed) gone.abort();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone;
}
