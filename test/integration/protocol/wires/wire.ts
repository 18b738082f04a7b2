import type { Id, Message } from '../messages/message.ts';

/** A connection to a server that transmits texts unchanged. */
export interface Wire extends AsyncDisposable {
  /**
   * Sends a text. `message` is the parsed text, for headers that repeat parts of it. Does not wait for the response to a
   * request, except for `initialize` over Streamable HTTP.
   */
  write(text: string, message?: Message): Promise<void>;
  /** Cancels a request without a message, such as by closing its HTTP response. Absent if the transport has no such way. */
  abandon?(id: Id): void;
  /**
   * Called after the handshake, with the negotiated revision, and whether messages that belong to no request are
   * wanted.
   */
  established?(revision: string, listens: boolean): Promise<void>;
}

/** Receives the messages of the server from a wire. */
export interface Receiver {
  /** Receives one message as text; `answers` is the id of the request on whose stream the message arrived, if any. */
  received(text: string, answers?: Id): void;
  /** Called when no further message can arrive. */
  closed(): void;
}
