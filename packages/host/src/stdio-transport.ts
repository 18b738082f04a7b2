import type { Readable, Writable } from 'node:stream';

import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

/** stdio with a promise of its end: the client closed its side, or we did. */
export class StdioTransport extends StdioServerTransport {
  readonly closed: Promise<void>;
  readonly #close: () => void;

  constructor(stdin: Readable, stdout: Writable) {
    super(stdin, stdout);
    let close: () => void = () => undefined;
    this.closed = new Promise((resolve) => {
      close = resolve;
    });
    this.#close = close;
  }

  override async close(): Promise<void> {
    await super.close();
    this.#close();
  }
}
