import type { Subscriptions } from '@org/mcp-decorators';
import type {
  JSONRPCMessage,
  JSONRPCRequest,
  MessageExtraInfo,
  RequestId,
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/server';

import { cancelledBy } from './cancelled-by.ts';
import { isListenRequest, urisOf, watchListened } from './listen-request.ts';

/** A stream of `subscriptions/listen`; it owns what it listens to. */
interface ListenStream {
  /** Not known to the SDK yet: what it names is not watched yet. */
  isOpening: boolean;
}

/**
 * A transport that sees the streams of `subscriptions/listen` (2026-07-28) go by. The SDK serves them without telling which URIs
 * they name: here each is watched before the SDK acknowledges the stream, left out if it cannot be, and released with the stream.
 */
export class ListeningTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
  readonly #wire: Transport;
  readonly #subscriptions: Subscriptions;
  readonly #onWatchError: (error: unknown) => void;
  /** Those that name resources, so that other requests cost nothing here. */
  readonly #streams = new Map<RequestId, ListenStream>();

  constructor(wire: Transport, subscriptions: Subscriptions, onWatchError: (error: unknown) => void) {
    this.#wire = wire;
    this.#subscriptions = subscriptions;
    this.#onWatchError = onWatchError;
  }

  get sessionId(): string | undefined {
    return this.#wire.sessionId;
  }

  async start(): Promise<void> {
    this.#wire.onmessage = (message, extra) => this.#receive(message, extra);
    this.#wire.onerror = (error) => this.onerror?.(error);
    this.#wire.onclose = () => {
      this.#release();
      this.onclose?.();
    };
    await this.#wire.start();
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    // Told by their keys: the SDK's guards read the whole message, and every response passes here.
    if ('id' in message && !('method' in message)) this.#end(message.id);
    await this.#wire.send(message, options);
  }

  async close(): Promise<void> {
    this.#release();
    await this.#wire.close();
  }

  setProtocolVersion(version: string): void {
    this.#wire.setProtocolVersion?.(version);
  }

  #receive(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
    if (isListenRequest(message) && urisOf(message).length > 0) {
      this.#open(message).then((narrowed) => narrowed && this.onmessage?.(narrowed, extra), this.#onWatchError);
      return;
    }
    const cancelled = cancelledBy(message);
    // A stream that is not open yet is unknown to the SDK, and so is its end.
    const unknown = cancelled !== undefined && this.#streams.get(cancelled)?.isOpening === true;
    this.#end(cancelled);
    if (!unknown) this.onmessage?.(message, extra);
  }

  /** The request with the URIs that are watched; `undefined` if it was cancelled meanwhile. */
  async #open(request: JSONRPCRequest): Promise<JSONRPCRequest | undefined> {
    // The SDK, too, has a later stream of the same id in the place of the earlier.
    this.#end(request.id);
    const stream: ListenStream = { isOpening: true };
    this.#streams.set(request.id, stream);
    const narrowed = await watchListened(request, {
      subscriptions: this.#subscriptions,
      owner: stream,
      onError: this.#onWatchError,
    });
    stream.isOpening = false;
    return this.#streams.get(request.id) === stream ? narrowed : undefined;
  }

  #end(id: RequestId | undefined): void {
    const stream = id === undefined ? undefined : this.#streams.get(id);
    if (id === undefined || stream === undefined) return;
    this.#streams.delete(id);
    this.#subscriptions.remove(stream).catch(this.#onWatchError);
  }

  #release(): void {
    for (const id of this.#streams.keys()) this.#end(id);
  }
}
