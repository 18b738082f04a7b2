/** What one process tells the others on one channel. */
export interface Message {
  readonly channel: string;
  readonly payload: string;
}

/** A connection to what carries messages between processes; disposing of it closes it. */
export interface Link extends AsyncDisposable {
  /** Resolves when the connection is gone, to why. */
  readonly lost: Promise<unknown>;
  /** Rejects if the messages may not have been sent. */
  publish(messages: readonly Message[]): Promise<void>;
  /** Rejects if nobody answers. */
  ping(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A kind of server that carries messages between processes. */
export interface Carrier {
  /** Bytes of the longest payload. */
  readonly maxPayload: number;
  /** The npm package that speaks to it, loaded when used. */
  readonly package: string;
  /** Resolves when no later message on the channels is missed; rejects if the server cannot be used. */
  connect(channels: readonly string[], receive: (message: Message) => void): Promise<Link>;
}

/** Milliseconds that a server may take to accept a connection, and to answer. */
export const ANSWER_MS = 10_000;
