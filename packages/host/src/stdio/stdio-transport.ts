import type { Readable, Writable } from 'node:stream';

import {
  ProtocolErrorCode,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type JSONRPCResponse,
  type MessageExtraInfo,
  type RequestId,
  type TransportSendOptions,
} from '@modelcontextprotocol/server';

import { cancelledBy } from '../cancelled-by.ts';
import { closingAnswer, duplicateRequest, errorAnswer } from '../wire/error-answer.ts';
import { isMessage, refusalOf } from '../wire/message.ts';
import type { TextTransport } from '../wire/text-transport.ts';
import { MAX_RESULT } from '../wire/too-large.ts';
import { Batch } from './batch.ts';
import { LineReader } from './line-reader.ts';
import { LineWriter } from './line-writer.ts';
import { Requests } from './requests.ts';

const MIB = 1024 * 1024;

/** Messages of one batch. */
const MAX_BATCH = 100;

/** The one revision that has batches. */
const BATCHES = '2025-03-26';

/** Reading pauses at so many times the unread bytes at which no request is begun: an error or a ping is answered without a turn. */
const UNREAD_TO_PAUSE = 16;

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
  /** Bytes of answers that the client has not read; above, no request is begun. Default: 1 MiB. */
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
  /** Nothing more can be read: the client closed its side, or the connection is closed. */
  readonly ended: Promise<void>;
  readonly #stdin: Readable;
  readonly #stdout: Writable;
  readonly #reader: LineReader;
  readonly #writer: LineWriter;
  readonly #requests: Requests;
  /** Requests of the server's own that the client has not answered. */
  readonly #questions = new Set<RequestId>();
  /** By the ids that they wait for. */
  readonly #batches = new Map<RequestId, Batch>();
  readonly #maxUnread: number;
  #revision: string | undefined;
  #resolveEnded: () => void = () => undefined;
  #isEnded = false;
  #isRefusing = false;
  #isClosed = false;

  constructor(stdin: Readable, stdout: Writable, options: StdioOptions = {}) {
    const { maxLine = 10 * MIB, maxAtOnce = 12, slowAfter = 100, maxWaiting = MIB, maxUnread = MIB } = options;
    this.#stdin = stdin;
    this.#stdout = stdout;
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    this.#reader = new LineReader(maxLine, {
      line: (text, bytes) => this.#readLine(text, bytes),
      tooLong: () => this.#refuse(ProtocolErrorCode.InvalidRequest, `A message has at most ${maxLine} bytes`),
    });
    this.#maxUnread = maxUnread;
    this.#writer = new LineWriter(stdout, maxUnread, () => this.#advance());
    this.#requests = new Requests({
      maxAtOnce,
      slowAfter,
      maxWaiting,
      isHeldBack: () => this.#writer.isFull,
      run: (request) => this.onmessage?.(request),
    });
  }

  start(): Promise<void> {
    this.#stdin.on('data', this.#read).on('end', this.#end).on('close', this.#end).on('error', this.#failToRead);
    // Kept when it is closed, as that of the input: what was written before may fail later, and nobody else listens.
    this.#stdout.on('error', this.#failToWrite);
    if (this.#stdin.readableEnded || this.#stdin.destroyed) setImmediate(this.#end);
    return Promise.resolve();
  }

  /** Resolves when every request was answered or cancelled, or the connection is closed. */
  idle(): Promise<void> {
    return this.#isClosed ? Promise.resolve() : this.#requests.idle();
  }

  /** Answers further requests with an error; what was read already is still served. */
  refuseRequests(): void {
    this.#isRefusing = true;
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    return this.sendText(JSON.stringify(message), message, options);
  }

  sendText(text: string, message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (this.#isClosed) return Promise.reject(new Error('the connection is closed'));
    if (!('method' in message)) return this.#answer(text, message.id);
    if ('id' in message) {
      if (this.#isEnded) return Promise.reject(new Error('the client has closed its side and cannot answer'));
      this.#ask(message.id, options?.relatedRequestId);
    } else this.#takeBack(cancelledBy(message));
    return this.#writer.write(text);
  }

  close(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    for (const id of this.#requests.clear()) void this.#answer(JSON.stringify(closingAnswer(id)), id);
    this.#abandon();
    return Promise.resolve();
  }

  setProtocolVersion(version: string): void {
    this.#revision = version;
  }

  readonly #read = (chunk: Buffer): void => this.#reader.push(chunk);

  readonly #end = (): void => {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#reader.end();
    for (const id of this.#questions)
      this.#receiveAnswer(errorAnswer(id, ProtocolErrorCode.InternalError, 'The client has closed its side'));
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
    this.#abandon();
  };

  #abandon(): void {
    this.#isClosed = true;
    this.#isEnded = true;
    this.#stdin.off('data', this.#read).off('end', this.#end).off('close', this.#end);
    this.#stdin.pause();
    this.#writer.close();
    this.#batches.clear();
    this.#requests.clear();
    this.#resolveEnded();
    this.onclose?.();
  }

  #readLine(text: string, bytes: number): void {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      // An empty line between messages does no harm.
      if (text.trim() !== '') this.#refuse(ProtocolErrorCode.ParseError, 'The line is not JSON');
      return;
    }
    if (Array.isArray(value)) this.#readBatch(value, bytes);
    else this.#receive(value, bytes);
  }

  #readBatch(values: readonly unknown[], bytes: number): void {
    const { length } = values;
    if (this.#revision !== BATCHES)
      return this.#refuse(ProtocolErrorCode.InvalidRequest, `Batches are part of revision ${BATCHES} only`);
    if (length === 0 || length > MAX_BATCH)
      return this.#refuse(ProtocolErrorCode.InvalidRequest, `A batch has 1 to ${MAX_BATCH} messages, this one has ${length}`);
    const batch = new Batch(MAX_RESULT, (line) => void this.#writer.write(line));
    for (const value of values) this.#receive(value, bytes / length, batch);
    batch.end();
  }

  #receive(value: unknown, bytes: number, batch?: Batch): void {
    if (!isMessage(value)) this.#refuseValue(value, batch);
    else if (!('method' in value)) this.#receiveAnswer(value);
    else if ('id' in value) this.#receiveRequest(value, bytes, batch);
    else this.#receiveNotification(value);
    this.#regulate();
  }

  #receiveAnswer(message: JSONRPCResponse): void {
    if (message.id !== undefined) this.#questions.delete(message.id);
    this.onmessage?.(message);
  }

  #receiveRequest(request: JSONRPCRequest, bytes: number, batch: Batch | undefined): void {
    const { id, method } = request;
    if (this.#requests.has(id)) {
      this.onerror?.(duplicateRequest(id, method));
      return;
    }
    if (batch !== undefined) {
      batch.expect(id);
      this.#batches.set(id, batch);
    }
    if (this.#isRefusing) void this.#answer(JSON.stringify(closingAnswer(id)), id);
    else this.#requests.add(request, bytes);
  }

  #receiveNotification(message: JSONRPCNotification): void {
    const cancelled = cancelledBy(message);
    // One that has not begun is known to nobody else.
    if (cancelled === undefined || this.#cancel(cancelled)) this.onmessage?.(message);
  }

  /** Returns whether the request had begun. */
  #cancel(id: RequestId): boolean {
    this.#batches.get(id)?.settle(id);
    this.#batches.delete(id);
    return this.#requests.settle(id);
  }

  #refuseValue(value: unknown, batch: Batch | undefined): void {
    const { problem, answer, standIn } = refusalOf(value);
    this.onerror?.(new Error(`a message was refused: ${problem}`));
    if (standIn !== undefined) this.#receiveAnswer(standIn);
    if (answer === undefined) return;
    const text = JSON.stringify(answer);
    if (batch === undefined) void this.#writer.write(text);
    else batch.settle(undefined, text);
  }

  #refuse(code: number, problem: string): void {
    this.onerror?.(new Error(`a message was refused: ${problem}`));
    void this.#writer.write(JSON.stringify(errorAnswer(undefined, code, problem)));
  }

  #answer(text: string, id: RequestId | undefined): Promise<void> {
    const batch = id === undefined ? undefined : this.#batches.get(id);
    if (batch === undefined) void this.#writer.write(text);
    else batch.settle(id, text);
    if (id !== undefined) {
      this.#batches.delete(id);
      this.#requests.settle(id);
      this.#regulate();
    }
    // Whoever waited for room would hold the result until then.
    return WRITTEN;
  }

  #ask(question: RequestId, asker: RequestId | undefined): void {
    this.#questions.add(question);
    if (asker === undefined) return;
    this.#requests.hasAsked(asker);
    this.#regulate();
  }

  /** The server does not wait for the answer to its question any more. */
  #takeBack(question: RequestId | undefined): void {
    if (question !== undefined) this.#questions.delete(question);
  }

  #advance(): void {
    this.#requests.beginWaiting();
    this.#regulate();
  }

  #regulate(): void {
    const isTooMuch = this.#requests.isOverloaded || this.#writer.unread > UNREAD_TO_PAUSE * this.#maxUnread;
    if (isTooMuch === this.#stdin.isPaused() || this.#isClosed) return;
    if (isTooMuch) this.#stdin.pause();
    else this.#stdin.resume();
  }
}
