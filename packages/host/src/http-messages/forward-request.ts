import {
  request as requestPlainly,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { request as requestSecurely } from 'node:https';

import { HttpError } from './http-error.ts';

/** Header with the id of the process that a forwarded request is for. */
export const OWNER_HEADER = 'mcp-session-owner';

/** Status with which a process rejects a forwarded request that it cannot handle: Misdirected Request. */
export const MISDIRECTED = 421;

/** Time limit in milliseconds for a connection to another process. */
const CONNECT_MS = 2000;

/**
 * Headers that are not forwarded: the headers of one connection (RFC 9110, section 7.6.1), `expect`, `trailer`, and the length,
 * which the body determines.
 */
const CONNECTION_HEADERS = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const BAD_GATEWAY = 502;
const LOST = 'The process of this session has ended. The request may have taken effect: check before you repeat it';

/** A request that another process handles. */
export interface ForwardedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The parsed body; `undefined` for a request without one. */
  readonly body?: unknown;
}

/** The process that handles a forwarded request. */
export interface Peer {
  readonly owner: string;
  readonly url: string;
}

/**
 * Sends a request to another process, and its response to the client. Resolves to `false`, without a response, if the
 * process cannot be reached, or is not the process that the request is for. Also resolves to `false` if the connection of
 * a request other than POST breaks before the response, because such a request can be repeated.
 *
 * @throws HttpError 502 if the connection of a POST request breaks before the response: the process may have handled it
 */
export function forwardRequest(forwarded: ForwardedRequest, peer: Peer): Promise<boolean> {
  return new Forwarding(forwarded, peer).result;
}

/** One request on its way to another process. */
class Forwarding {
  readonly result: Promise<boolean>;
  readonly #response: ServerResponse;
  /** Whether the request can be sent again, even if a process has handled it. */
  readonly #isRepeatable: boolean;
  readonly #sent: ClientRequest;
  readonly #connecting: NodeJS.Timeout;
  #isConnected = false;
  #resolve: (isHandled: boolean) => void = () => undefined;
  #reject: (error: HttpError) => void = () => undefined;

  constructor(forwarded: ForwardedRequest, peer: Peer) {
    this.#response = forwarded.response;
    this.#isRepeatable = forwarded.request.method !== 'POST';
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#sent = this.#send(forwarded, peer);
    this.#connecting = setTimeout(this.#stop, CONNECT_MS);
    this.#response.once('close', this.#stop);
  }

  readonly #stop = (): void => void this.#sent.destroy();

  #send({ request, body }: ForwardedRequest, { owner, url }: Peer): ClientRequest {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const length = text === undefined ? {} : { 'content-length': Buffer.byteLength(text) };
    const headers = { ...removeConnectionHeaders(request.headers), ...length, [OWNER_HEADER]: owner };
    return (url.startsWith('https:') ? requestSecurely : requestPlainly)(url, { method: request.method, headers })
      .once('socket', (socket) => {
        if (socket.connecting) socket.once('connect', () => this.#connected());
        else this.#connected();
      })
      .once('response', (answer) => this.#relay(answer))
      .on('error', () => this.#fail())
      .end(text);
  }

  #connected(): void {
    this.#isConnected = true;
    clearTimeout(this.#connecting);
  }

  #relay(answer: IncomingMessage): void {
    if (answer.statusCode === MISDIRECTED) {
      answer.resume();
      this.#end(false);
      return;
    }
    const response = this.#response;
    response.writeHead(answer.statusCode ?? BAD_GATEWAY, removeConnectionHeaders(answer.headers)).flushHeaders();
    // The stream of a process that has ended is incomplete, which the client notices by the closed connection.
    answer.on('error', () => response.destroy());
    answer.once('close', () => this.#end(true));
    answer.pipe(response);
  }

  #fail(): void {
    const { headersSent, destroyed } = this.#response;
    if (headersSent || destroyed) this.#end(true);
    else if (this.#isRepeatable || !this.#isConnected) this.#end(false);
    else this.#reject(new HttpError(BAD_GATEWAY, LOST));
  }

  #end(isHandled: boolean): void {
    clearTimeout(this.#connecting);
    this.#response.off('close', this.#stop);
    this.#resolve(isHandled);
  }
}

function removeConnectionHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !CONNECTION_HEADERS.has(name)));
}
