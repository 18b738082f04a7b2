/** What the transport of a server knows of itself at the moment that it is asked; what it does not have is left out. */
export interface Gauges {
  /** Open connections; over HTTP those of TCP. */
  readonly connections?: number;
  /** Sessions opened by `initialize` that have not ended. */
  readonly sessions?: number;
  /** Open streams on which clients are told of changes: of `subscriptions/listen`, and the GET streams of sessions. */
  readonly listenStreams?: number;
  /** Messages kept for clients that may come back for them. */
  readonly storedEvents?: number;
  /** How often requests were refused before a call came of them, by reason: words of the program, never a client's. */
  readonly refused?: Readonly<Record<string, number>>;
}
