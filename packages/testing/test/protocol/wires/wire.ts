import type { Id, Message } from '../message.ts';

/** A way to a server, which carries what it is given as it is. */
export interface Wire extends AsyncDisposable {
  /** Sends a text; `message` is what it says, where headers have to repeat that. Resolves when the server has it. */
  write(text: string, message?: Message): Promise<void>;
  /** Ends a request where the transport has a way of its own to do that. */
  abandon?(id: Id): void;
  /** Called once the handshake is done, with the revision that was agreed on, and whether what belongs to no request is wanted. */
  established?(revision: string, listens: boolean): Promise<void>;
}

/** Where a wire hands over what comes from the server. */
export interface Receiver {
  /** One message, as text; `answers` is what it answers, if that is said by the way it came. */
  received(text: string, answers?: Id): void;
  /** Nothing comes any more. */
  closed(): void;
}
