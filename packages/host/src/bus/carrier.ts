import type { SessionStore } from '../shared-state/session-store.ts';

/** A message and its channel. */
export interface Message {
  readonly channel: string;
  readonly payload: string;
}

/** A connection to a carrier. Disposing of the object closes the connection. */
export interface Link extends AsyncDisposable {
  /** Resolves to the reason when the connection is lost. */
  readonly lost: Promise<unknown>;
  /** Stores the data of sessions on the server that also forwards the messages. */
  readonly sessions: SessionStore;
  /** Sends messages; rejects if some of them may not have been sent. */
  publish(messages: readonly Message[]): Promise<void>;
  /** Checks the connection; rejects if the server does not answer. */
  ping(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A kind of server that forwards messages between processes. */
export interface Carrier {
  /** Maximum size of a payload in bytes. */
  readonly maxPayload: number;
  /** npm package of the client library, which is loaded on first use. */
  readonly package: string;
  /**
   * Connects and subscribes to the channels. After the promise has resolved, `receive` is called with every new message
   * on the channels. Rejects if the server cannot be used.
   */
  connect(channels: readonly string[], receive: (message: Message) => void): Promise<Link>;
}

/** Time limit in milliseconds for connecting and for each answer. */
export const ANSWER_MS = 10_000;
