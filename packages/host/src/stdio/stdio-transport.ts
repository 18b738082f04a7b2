import type { Readable, Writable } from 'node:stream';

import {
  ProtocolErrorCode,
  type JSONRPCMessage,
  type MessageExtraInfo,
  type TransportSendOptions,
} from '@modelcontextprotocol/server';

import { readCancelledId } from '../protocol/json-rpc.ts';
import type { TextTransport } from '../protocol/text-transport.ts';
import { StdioSession } from './stdio-session.ts';
import { LineWriter } from './line-writer.ts';

const MIB = 1024 * 1024;

/**
 * A client is stalled when its unread bytes exceed this multiple of the limit above which no request is started. Below
 * this limit, running requests continue.
 */
const STALLED_FACTOR = 16;

/** Notifications that are dropped while the client is stalled. */
const DISPENSABLE = new Set(['notifications/message', 'notifications/progress']);

const WRITTEN = Promise.resolve();

export interface StdioOptions {
  /** Maximum size of a line in bytes. Default: 10 MiB. */
  readonly maxLineBytes?: number;
  /** Maximum number of requests that run at once, except slow requests and requests that wait for the client. Default: 12. */
  readonly maxConcurrent?: number;
  /** Milliseconds of waiting after which all running requests count as slow, so that the waiting requests can start. Default: 100. */
  readonly slowAfterMs?: number;
  /** Bytes of waiting requests above which reading pauses. Default: 1 MiB. */
  readonly maxWaitingBytes?: number;
  /** Unread bytes above which no request is started; reading pauses above 16 times this number. Default: 1 MiB. */
  readonly maxUnreadBytes?: number;
}

/**
 * The stdio transport: each line is a JSON message or a batch. An unreadable line is answered with an error, and the connection
 * stays open.
 *
 * A client that reads slowly or sends too much is slowed down: requests wait, then reading pauses. Responses and cancellations of the
 * client overtake waiting requests, because running requests may need them to finish.
 */
export class StdioTransport implements TextTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
  /** Resolves when the client has closed its end of the connection, or the connection is closed. */
  readonly ended: Promise<void>;
  readonly #stdin: Readable;
  readonly #stdout: Writable;
  readonly #maxUnread: number;
  readonly #reader: LineReader;
  readonly #writer: LineWriter;
  readonly #session: StdioSession;
  #resolveEnded: () => void = () => undefined;
  #isEnded = false;
  #isClosed = false;

  constructor(stdin: Readable, stdout: Writable, options: StdioOptions = {}) {
    const { maxLineBytes = 10 * MIB, maxUnreadBytes = MIB } = options;
    const { maxConcurrent = 12, slowAfterMs = 100, maxWaitingBytes = MIB } = options;
    this.#stdin = stdin;
    this.#stdout = stdout;
    this.#maxUnread = maxUnreadBytes;
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    this.#writer = new LineWriter(stdout, maxUnreadBytes, () => {
      this.#session.startWaiting();
      this.#pauseOrResume();
    });
    this.#session = new StdioSession({
      maxConcurrent,
      slowAfterMs,
      maxWaitingBytes,
      isPaused: () => this.#writer.isFull,
      onProgress: () => this.#pauseOrResume(),
      deliver: (message) => this.onmessage?.(message),
      write: (line) => void this.#writer.write(line),
      report: (error) => this.onerror?.(error),
    });
    this.#reader = new LineReader(maxLineBytes, {
      line: (text, bytes) => this.#session.read(text, bytes),
      tooLong: () =>
        this.#session.refuse(
          ProtocolErrorCode.InvalidRequest,
          `The message is larger than ${maxLineBytes} bytes (--max-message)`,
        ),
    });
  }

  start(): Promise<void> {
    this.#stdin.on('data', this.#read).on('end', this.#end).on('close', this.#end).on('error', this.#failToRead);
    // The error listeners remain after closing, because an earlier write may fail later and an unhandled error event
    // ends the process.
    this.#stdout.on('error', this.#failToWrite);
    if (this.#stdin.readableEnded || this.#stdin.destroyed) setImmediate(this.#end);
    return Promise.resolve();
  }

  /** Resolves when every request except listen streams is answered or cancelled, or the connection is closed. */
  whenIdle(): Promise<void> {
    return this.#session.whenIdle();
  }

  /** Answers further requests with an error; requests that were read before are still served. */
  refuseRequests(): void {
    this.#session.refuseRequests();
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    return this.sendText(JSON.stringify(message), message, options);
  }

  sendText(text: string, message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (this.#isClosed) return Promise.reject(new Error('the connection is closed'));
    if (!('method' in message)) {
      this.#session.respond(text, message.id);
      // Does not wait for room, because the caller would keep the result in memory during the wait.
      return WRITTEN;
    }
    if ('id' in message) {
      if (this.#isEnded) return Promise.reject(new Error('the client has closed its end of the connection and cannot answer'));
      this.#session.addServerRequest(message.id, options?.relatedRequestId);
    } else {
      if (this.#isStalled && DISPENSABLE.has(message.method)) return WRITTEN;
      const cancelled = readCancelledId(message);
      if (cancelled !== undefined) this.#session.removeServerRequest(cancelled);
    }
    return this.#writer.write(text);
  }

  close(): Promise<void> {
    if (!this.#isClosed) this.#close(true);
    return Promise.resolve();
  }

  setProtocolVersion(version: string): void {
    this.#session.revision = version;
  }

  readonly #read = (chunk: Buffer): void => {
    this.#reader.push(chunk);
    this.#pauseOrResume();
  };

  readonly #end = (): void => {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#reader.end();
    this.#session.failServerRequests();
    this.#resolveEnded();
  };

  readonly #failToRead = (error: Error): void => {
    if (this.#isClosed) return;
    this.onerror?.(error);
    this.#end();
  };

  readonly #failToWrite = (error: Error): void => {
    if (this.#isClosed) return;
    this.onerror?.(error);
    this.#close(false);
  };

  #close(isRead: boolean): void {
    this.#session.end(isRead);
    this.#isClosed = true;
    this.#isEnded = true;
    this.#stdin.off('data', this.#read).off('end', this.#end).off('close', this.#end);
    this.#stdin.pause();
    this.#writer.close();
    this.#resolveEnded();
    this.onclose?.();
  }

  get #isStalled(): boolean {
    return this.#writer.unread > STALLED_FACTOR * this.#maxUnread;
  }

  #pauseOrResume(): void {
    const shouldPause = this.#session.isOverloaded || this.#isStalled;
    if (shouldPause === this.#stdin.isPaused() || this.#isClosed) return;
    if (shouldPause) this.#stdin.pause();
    else this.#stdin.resume();
  }
}

const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = '\uFEFF';

interface LineListener {
  /** Receives a line without its line break, and its size. */
  readonly line: (text: string, bytes: number) => void;
  /** Called once for each line that is too long, as soon as it exceeds the limit. */
  readonly tooLong: () => void;
}

/**
 * Splits a stream of bytes into lines of UTF-8. Joins the chunks of a line only once, at its end. Skips a line that is too long without
 * buffering it. Removes a byte order mark at the start of the stream, and replaces invalid UTF-8 with U+FFFD.
 */
export class LineReader {
  readonly #maxLineBytes: number;
  readonly #listener: LineListener;
  #parts: Buffer[] = [];
  #bytes = 0;
  #skipping = false;
  #isFirst = true;

  constructor(maxLineBytes: number, listener: LineListener) {
    this.#maxLineBytes = maxLineBytes;
    this.#listener = listener;
  }

  /** Reads a chunk and reports each line that it completes. */
  push(chunk: Buffer): void {
    let begin = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, begin)) {
      this.#add(chunk.subarray(begin, end));
      this.#endLine();
      begin = end + 1;
    }
    if (begin < chunk.length) this.#add(chunk.subarray(begin));
  }

  /** Reports the last line, if it has no line break. */
  end(): void {
    this.#endLine();
  }

  #add(part: Buffer): void {
    if (this.#skipping || part.length === 0) return;
    this.#bytes += part.length;
    if (this.#bytes <= this.#maxLineBytes) {
      this.#parts.push(part);
      return;
    }
    this.#skipping = true;
    this.#parts = [];
    this.#listener.tooLong();
  }

  #endLine(): void {
    const bytes = this.#bytes;
    const [first, ...others] = this.#parts;
    this.#parts = [];
    this.#bytes = 0;
    this.#skipping = false;
    if (first === undefined) return;
    const text = (others.length === 0 ? first : Buffer.concat([first, ...others], bytes)).toString();
    const isMarked = this.#isFirst && text.startsWith(BYTE_ORDER_MARK);
    this.#isFirst = false;
    this.#listener.line(isMarked ? text.slice(1) : text, bytes);
  }
}
