import type { ClientConfig } from 'pg';

import { Proxy } from '../faults/proxy.ts';

/** Reads what clients send to PostgreSQL on the way: the texts of Parse and Query messages, byte by byte. */
export class WireTap implements AsyncDisposable {
  readonly #proxy: Proxy;
  readonly #texts: Buffer[];

  private constructor(proxy: Proxy, texts: Buffer[]) {
    this.#proxy = proxy;
    this.#texts = texts;
  }

  /** Taps connections to the socket of a server. */
  static async on({ host, port }: ClientConfig): Promise<WireTap> {
    const texts: Buffer[] = [];
    const proxy = await Proxy.to(
      `${host}/.s.PGSQL.${port}`,
      (chunk, to) => to.write(chunk),
      () => readerOf(texts),
    );
    return new WireTap(proxy, texts);
  }

  get port(): number {
    return this.#proxy.port;
  }

  /** The texts since the last call. */
  take(): readonly Buffer[] {
    return this.#texts.splice(0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#proxy[Symbol.asyncDispose]();
  }
}

/** Follows the messages of one connection. The first has no kind: it starts the session, asks for TLS or cancels. */
function readerOf(texts: Buffer[]): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  let header = 0;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= header + 4 && rest.length >= header + rest.readUInt32BE(header)) {
      const end = header + rest.readUInt32BE(header);
      const text = textIn(rest.subarray(0, end), header);
      if (text !== undefined) texts.push(Buffer.from(text));
      rest = rest.subarray(end);
      header = 1;
    }
  };
}

/** Parse has the name of the statement before the text, Query has the text alone; both end the text with NUL. */
function textIn(message: Buffer, header: number): Buffer | undefined {
  const kind = header === 1 ? message.toString('latin1', 0, 1) : '';
  if (kind !== 'P' && kind !== 'Q') return undefined;
  const start = kind === 'P' ? message.indexOf(0, 5) + 1 : 5;
  return message.subarray(start, message.indexOf(0, start));
}
