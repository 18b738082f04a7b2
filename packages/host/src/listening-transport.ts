import type { Subscriptions } from '@org/mcp-decorators';
import {
  type JSONRPCMessage,
  type JSONRPCRequest,
  type MessageExtraInfo,
  type RequestId,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/server';

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
  /** Streams that own watchers, so that other requests cost nothing here. */
  readonly #streams = new Set<RequestId>();
  /** Streams whose watchers are not ready; a cancelled one is removed, so that it is not opened any more. */
  readonly #opening = new Set<RequestId>();

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
    const unknown = cancelled !== undefined && this.#opening.has(cancelled);
    this.#end(cancelled);
    if (!unknown) this.onmessage?.(message, extra);
  }

  /** The request with the URIs that are watched; `undefined` if it was cancelled meanwhile. */
  async #open(message: JSONRPCRequest): Promise<JSONRPCRequest | undefined> {
    this.#streams.add(message.id);
    this.#opening.add(message.id);
    const uris = urisOf(message);
    const watched = await Promise.all(uris.map((uri) => this.#watch(uri, message.id)));
    if (!this.#opening.delete(message.id)) {
      await this.#subscriptions.remove(message.id);
      return undefined;
    }
    const resourceSubscriptions = uris.filter((_, position) => watched[position]);
    return { ...message, params: { ...message.params, notifications: { ...filterOf(message), resourceSubscriptions } } };
  }

  async #watch(uri: string, stream: RequestId): Promise<boolean> {
    try {
      return await this.#subscriptions.add(uri, stream);
    } catch (error) {
      this.#onWatchError(error);
      return false;
    }
  }

  #end(stream: RequestId | undefined): void {
    if (stream === undefined || !this.#streams.delete(stream)) return;
    this.#opening.delete(stream);
    this.#subscriptions.remove(stream).catch(this.#onWatchError);
  }

  #release(): void {
    this.#streams.clear();
    this.#opening.clear();
    this.#subscriptions[Symbol.asyncDispose]().catch(this.#onWatchError);
  }
}

function isListenRequest(message: JSONRPCMessage): message is JSONRPCRequest {
  return 'method' in message && message.method === 'subscriptions/listen' && 'id' in message;
}

function cancelledBy(message: JSONRPCMessage): RequestId | undefined {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return undefined;
  const id: unknown = message.params?.['requestId'];
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

function filterOf({ params }: JSONRPCRequest): object {
  const filter = params?.['notifications'];
  return typeof filter === 'object' && filter !== null ? filter : {};
}

function urisOf(message: JSONRPCRequest): readonly string[] {
  const filter = filterOf(message);
  const uris: unknown = 'resourceSubscriptions' in filter ? filter.resourceSubscriptions : undefined;
  return Array.isArray(uris) ? [...new Set(uris.filter((uri) => typeof uri === 'string'))] : [];
}
