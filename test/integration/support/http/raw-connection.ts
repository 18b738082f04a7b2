import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A TCP connection on which a test writes any bytes, valid or not. */
export class RawConnection {
  readonly socket: Socket;
  readonly #closed: Promise<void>;
  #text = '';
  #wake: () => void = () => undefined;

  private constructor(socket: Socket) {
    this.socket = socket;
    this.#closed = new Promise((resolve) => socket.once('close', () => resolve()));
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      this.#text += text;
      this.#wake();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => this.#wake());
  }

  static async to(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    const connection = new RawConnection(connect(Number(port), hostname));
    await once(connection.socket, 'connect');
    return connection;
  }

  /** All bytes received so far, as text. */
  get received(): string {
    return this.#text;
  }

  /** Whether neither side has closed the connection yet, as far as this side knows. */
  get isOpen(): boolean {
    return !this.socket.readableEnded && !this.socket.destroyed;
  }

  /** Resolves when either side has closed the connection. */
  get closed(): Promise<void> {
    return this.#closed;
  }

  write(text: string): void {
    this.socket.write(text, 'latin1');
  }

  /** Resolves to the received text as soon as it matches. Rejects if the connection closes first. */
  async until(expected: RegExp): Promise<string> {
    for (;;) {
      if (expected.test(this.#text)) return this.#text;
      if (this.socket.destroyed) throw new Error(`closed after ${JSON.stringify(this.#text)}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Resolves to the whole text when the server closes the connection. */
  async all(): Promise<string> {
    await this.#closed;
    return this.#text;
  }

  [Symbol.dispose](): void {
    this.socket.destroy();
  }
}

/** Sends a request unchanged. Resolves to the head of the response, and the part of the body that has arrived with the head. */
export async function sendRaw(url: string, text: string): Promise<string> {
  using connection = await RawConnection.to(url);
  connection.write(text);
  return await connection.until(/\r\n\r\n/);
}

/** Returns the head of an HTTP/1.1 request: the request line, the headers and an empty line. */
export function head(line: string, headers: readonly string[] = []): string {
  return `${[`${line} HTTP/1.1`, ...headers].join('\r\n')}\r\n\r\n`;
}

/** Returns the status in the first line of a response. */
export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]);
}
