import type { Readable, Writable } from 'node:stream';

import {
  ProtocolErrorCode,
  type JSONRPCMessage,
  type MessageExtraInfo,
  type TransportSendOptions,
} from '@modelcontextprotocol/server';

import { cancelledBy } from '../cancelled-by.ts';
import type { TextTransport } from '../wire/text-transport.ts';
import { Conversation } from './conversation.ts';
import { LineReader } from './line-reader.ts';
import { LineWriter } from './line-writer.ts';

const MIB = 1024 * 1024;

/** A client is stalled at so many times the unread bytes at which no request is begun: what has begun goes on until then. */
const UNREAD_TO_STALL = 16;

/** What a client can do without that has left so much unread. */
const DISPENSABLE = new Set(['notifications/message', 'notifications/progress']);

const WRITTEN = Promise.resolve();

export interface StdioOptions {
  /** Bytes of a line that is read. Default: 10 MiB. */
  readonly maxLine?: number;
  /** Requests that are begun at once, not counting those that take longer or ask the client. Default: 12. */
  readonly maxAtOnce?: number;
  /** Milliseconds after which a request that keeps others waiting does not count any more. Default: 100. */
  readonly slowAfter?: number;
  /** Bytes of requests that wait for their turn; above, reading pauses. Default: 1 MiB. */
  readonly maxWaiting?: number;
  /** Bytes that the client has not read; above, no request is begun, and above 16 times as many reading pauses. Default: 1 MiB. */
  readonly maxUnread?: number;
}

/**
 * stdio: a message is a line of JSON. What cannot be read is answered with an error and the connection goes on. A client that reads
 * slowly, or sends more than can be served, is slowed down: requests wait, then reading pauses. Answers and cancellations of the
 * client are dealt with before the requests that wait, because those that run may need them to end.
 */
export class StdioTransport implements TextTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
  /** Resolves when nothing more can be read: the client closed its side, or the connection is closed. */
  readonly ended: Promise<void>;
  readonly #stdin: Readable;
  readonly #stdout: Writable;
  readonly #maxUnread: number;
  readonly #reader: LineReader;
  readonly #writer: LineWriter;
  readonly #conversation: Conversation;
  #resolveEnded: () => void = () => undefined;
  #isEnded = false;
  #isClosed = false;

  constructor(stdin: Readable, stdout: Writable, options: StdioOptions = {}) {
    const { maxLine = 10 * MIB, maxAtOnce = 12, slowAfter = 100, maxWaiting = MIB, maxUnread = MIB } = options;
    this.#stdin = stdin;
    this.#stdout = stdout;
    this.#maxUnread = maxUnread;
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    this.#writer = new LineWriter(stdout, maxUnread, () => {
      this.#conversation.advance();
      this.#regulate();
    });
    this.#conversation = new Conversation({
      maxAtOnce,
      slowAfter,
      maxWaiting,
      isHeldBack: () => this.#writer.isFull,
      onAdvance: () => this.#regulate(),
      deliver: (message) => this.onmessage?.(message),
      write: (line) => void this.#writer.write(line),
      report: (error) => this.onerror?.(error),
    });
    this.#reader = new LineReader(maxLine, {
      line: (text, bytes) => this.#conversation.read(text, bytes),
      tooLong: () =>
        this.#conversation.refuse(ProtocolErrorCode.InvalidRequest, `A message has at most ${maxLine} bytes (--max-message)`),
    });
  }

  start(): Promise<void> {
    this.#stdin.on('data', this.#read).on('end', this.#end).on('close', this.#end).on('error', this.#failToRead);
    // Kept when it is closed, as that of the input: what was written before may fail later, and nobody else listens.
    this.#stdout.on('error', this.#failToWrite);
    if (this.#stdin.readableEnded || this.#stdin.destroyed) setImmediate(this.#end);
    return Promise.resolve();
  }

  /** Resolves when every request was answered or cancelled, or the connection is closed; listen streams stay open. */
  idle(): Promise<void> {
    return this.#conversation.idle();
  }

  /** Answers further requests with an error; what was read already is still served. */
  refuseRequests(): void {
    this.#conversation.refuseRequests();
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    return this.sendText(JSON.stringify(message), message, options);
  }

  sendText(text: string, message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (this.#isClosed) return Promise.reject(new Error('the connection is closed'));
    if (!('method' in message)) {
      this.#conversation.answer(text, message.id);
      // Whoever waited for room would hold the result until then.
      return WRITTEN;
    }
    if ('id' in message) {
      if (this.#isEnded) return Promise.reject(new Error('the client has closed its side and cannot answer'));
      this.#conversation.ask(message.id, options?.relatedRequestId);
    } else {
      if (this.#isStalled && DISPENSABLE.has(message.method)) return WRITTEN;
      const question = cancelledBy(message);
      if (question !== undefined) this.#conversation.takeBack(question);
    }
    return this.#writer.write(text);
  }

  close(): Promise<void> {
    if (!this.#isClosed) this.#close(true);
    return Promise.resolve();
  }

  setProtocolVersion(version: string): void {
    this.#conversation.revision = version;
  }

  readonly #read = (chunk: Buffer): void => {
    this.#reader.push(chunk);
    this.#regulate();
  };

  readonly #end = (): void => {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#reader.end();
    this.#conversation.endQuestions();
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
    this.#conversation.end(isRead);
    this.#isClosed = true;
    this.#isEnded = true;
    this.#stdin.off('data', this.#read).off('end', this.#end).off('close', this.#end);
    this.#stdin.pause();
    this.#writer.close();
    this.#resolveEnded();
    this.onclose?.();
  }

  get #isStalled(): boolean {
    return this.#writer.unread > UNREAD_TO_STALL * this.#maxUnread;
  }

  #regulate(): void {
    const isTooMuch = this.#conversation.isOverloaded || this.#isStalled;
    if (isTooMuch === this.#stdin.isPaused() || this.#isClosed) return;
    if (isTooMuch) this.#stdin.pause();
    else this.#stdin.resume();
  }
}
