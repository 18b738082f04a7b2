import { IncomingMessage, ServerResponse, type OutgoingHttpHeader, type OutgoingHttpHeaders } from 'node:http';
import { Socket } from 'node:net';

/** Maximum number of unread bytes of a response before a writer should wait for the event `drain`. */
const HIGH_WATER_MARK = 64 * 1024;

/** Statuses whose responses have no body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** A web `Request` as a message of `node:http`. */
export class WebIncomingMessage extends IncomingMessage {
  readonly #body: ReadableStreamDefaultReader<Uint8Array> | undefined;

  constructor(request: Request) {
    super(new Socket());
    const { host, pathname, search } = new URL(request.url);
    const headers = new Headers(request.headers);
    if (!headers.has('host')) headers.set('host', host);
    this.method = request.method;
    this.url = pathname + search;
    this.headers = Object.fromEntries(headers);
    this.rawHeaders = [...headers].flat();
    this.#body = request.body?.getReader();
    request.signal.addEventListener('abort', () => this.destroy(), { once: true });
  }

  override _read(size: number): void {
    // Without this call, the stream would read only one chunk.
    super._read(size);
    if (this.#body === undefined) this.#end();
    else
      void this.#body.read().then(
        ({ done, value }) => (done ? this.#end() : this.push(value)),
        () => this.destroy(),
      );
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    void this.#body?.cancel().catch(() => undefined);
    super._destroy(error, callback);
  }

  #end(): void {
    this.complete = true;
    this.push(null);
  }
}

/** A response of `node:http` that becomes a web `Response`. */
export class WebServerResponse extends ServerResponse {
  /** Resolves when the head of the response is sent, or with status 500 if the client disconnects before. */
  readonly answer: Promise<Response>;
  readonly #stream: ReadableStream<Uint8Array>;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #resolve: (answer: Response) => void = () => undefined;
  #hasBegun = false;

  /** @param signal destroys the response when the client disconnects */
  constructor(request: WebIncomingMessage, signal: AbortSignal) {
    super(request);
    this.answer = new Promise((resolve) => (this.#resolve = resolve));
    this.#stream = new ReadableStream(
      {
        start: (controller) => void (this.#controller = controller),
        pull: () => void this.emit('drain'),
        cancel: () => this.#disconnect(),
      },
      { highWaterMark: HIGH_WATER_MARK, size: ({ byteLength }) => byteLength },
    );
    Object.defineProperties(this, {
      headersSent: { get: () => this.#hasBegun },
      writableLength: { get: () => HIGH_WATER_MARK - (this.#controller?.desiredSize ?? HIGH_WATER_MARK) },
    });
    signal.addEventListener('abort', () => this.#disconnect(), { once: true });
  }

  override writeHead(
    status: number,
    ...given: readonly (string | OutgoingHttpHeaders | OutgoingHttpHeader[] | undefined)[]
  ): this {
    this.statusCode = status;
    const headers = given.find((each) => typeof each === 'object' && !Array.isArray(each)) ?? {};
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) this.setHeader(name, value);
    this.flushHeaders();
    return this;
  }

  override flushHeaders(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    const headers = Object.entries(this.getHeaders()).flatMap(([name, value]) =>
      // The header `connection` is omitted, because the server of the application manages the connection to the client.
      value === undefined || name === 'connection' ? [] : [[name, String(value)] satisfies [string, string]],
    );
    this.#resolve(new Response(WITHOUT_BODY.has(this.statusCode) ? null : this.#stream, { status: this.statusCode, headers }));
  }

  override write(chunk: string | Uint8Array): boolean {
    this.flushHeaders();
    if (!this.finished && !this.destroyed) this.#controller?.enqueue(Buffer.from(chunk));
    return this.writableLength < HIGH_WATER_MARK;
  }

  override end(chunk?: unknown): this {
    if (this.finished || this.destroyed) return this;
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) this.write(chunk);
    else this.flushHeaders();
    this.finished = true;
    this.#controller?.close();
    queueMicrotask(() => {
      this.emit('finish');
      this.#close();
    });
    return this;
  }

  override destroy(): this {
    // Unlike the end of the stream, an error shows the client that the response is incomplete.
    if (!this.finished && !this.destroyed) this.#controller?.error(new Error('the response is incomplete'));
    this.#disconnect();
    return this;
  }

  #disconnect(): void {
    this.#resolve(new Response(null, { status: 500 }));
    this.#close();
  }

  #close(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.emit('close');
  }
}
