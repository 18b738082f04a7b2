import {
  ProtocolErrorCode,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type JSONRPCResponse,
  type RequestId,
} from '@modelcontextprotocol/server';

import { cancelledBy } from '../cancelled-by.ts';
import { BATCHES, MAX_BATCH } from '../wire/batches.ts';
import { duplicateRequest, errorAnswer } from '../wire/error-answer.ts';
import { isMessage, refusalOf } from '../wire/message.ts';
import { MAX_RESULT } from '../wire/too-large.ts';
import { Batch } from './batch.ts';
import { Requests, type RequestsOptions } from './requests.ts';

export interface ConversationOptions extends Omit<RequestsOptions, 'run'> {
  /** Hands a message on to the server. */
  readonly deliver: (message: JSONRPCMessage) => void;
  /** Writes a line to the client. */
  readonly write: (line: string) => void;
  /** Told of what a client does wrong. */
  readonly report: (error: Error) => void;
}

/** What is said on one connection: lines from the client become messages or are refused, and each answer finds its way back. */
export class Conversation {
  /** Of the session; `undefined` before `initialize` and without a session. */
  revision: string | undefined;
  readonly #options: ConversationOptions;
  readonly #requests: Requests;
  /** Requests of the server's own that the client has not answered. */
  readonly #questions = new Set<RequestId>();
  /** By the ids that they wait for. */
  readonly #batches = new Map<RequestId, Batch>();
  #isRefusing = false;

  constructor(options: ConversationOptions) {
    this.#options = options;
    this.#requests = new Requests({ ...options, run: options.deliver });
  }

  /** Whether so much waits that nothing more should be read. */
  get isOverloaded(): boolean {
    return this.#requests.isOverloaded;
  }

  /** Resolves when every request was answered or cancelled; listen streams stay open. */
  idle(): Promise<void> {
    return this.#requests.idle();
  }

  /** Begins what waits, as far as it may. */
  advance(): void {
    this.#requests.beginWaiting();
  }

  /** Answers further requests with an error; what was read already is still served. */
  refuseRequests(): void {
    this.#isRefusing = true;
  }

  /** Takes a line of the client's. */
  read(line: string, bytes: number): void {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      // An empty line between messages does no harm.
      if (line.trim() !== '') this.refuse(ProtocolErrorCode.ParseError, 'The line is not JSON');
      return;
    }
    if (Array.isArray(value)) this.#readBatch(value, bytes);
    else this.#receive(value, bytes);
  }

  /** Refuses what cannot be read. */
  refuse(code: number, problem: string): void {
    this.#options.report(refused(problem));
    this.#options.write(JSON.stringify(errorAnswer(undefined, code, problem)));
  }

  /** Writes the answer to a request, as JSON. */
  answer(text: string, id: RequestId | undefined): void {
    const batch = id === undefined ? undefined : this.#batches.get(id);
    if (batch === undefined) this.#options.write(text);
    else batch.settle(id, text);
    if (id === undefined) return;
    this.#batches.delete(id);
    this.#requests.settle(id);
  }

  /** The server asks the client; `asker` is the request whose call does, if that is known. */
  ask(question: RequestId, asker: RequestId | undefined): void {
    this.#questions.add(question);
    if (asker !== undefined) this.#requests.hasAsked(asker);
  }

  /** The server does not wait for an answer any more. */
  takeBack(question: RequestId): void {
    this.#questions.delete(question);
  }

  /** Answers the server's questions, because the client will not. */
  endQuestions(): void {
    for (const id of this.#questions)
      this.#receiveAnswer(errorAnswer(id, ProtocolErrorCode.InternalError, 'The client has closed its side'));
  }

  /** Answers what was not answered, if anybody reads it, and forgets everything. */
  end(isRead: boolean): void {
    const unanswered = this.#requests.clear();
    if (isRead) for (const id of unanswered) this.#answerClosing(id);
    this.#batches.clear();
    this.#questions.clear();
  }

  #readBatch(values: readonly unknown[], bytes: number): void {
    const { length } = values;
    if (this.revision !== BATCHES)
      return this.refuse(ProtocolErrorCode.InvalidRequest, `Batches are part of revision ${BATCHES} only`);
    if (length === 0 || length > MAX_BATCH)
      return this.refuse(ProtocolErrorCode.InvalidRequest, `A batch has 1 to ${MAX_BATCH} messages, this one has ${length}`);
    const batch = new Batch(MAX_RESULT, this.#options.write);
    for (const value of values) this.#receive(value, bytes / length, batch);
    batch.end();
  }

  #receive(value: unknown, bytes: number, batch?: Batch): void {
    if (!isMessage(value)) this.#refuseValue(value, batch);
    else if (!('method' in value)) this.#receiveAnswer(value);
    else if ('id' in value) this.#receiveRequest(value, bytes, batch);
    else this.#receiveNotification(value);
  }

  #refuseValue(value: unknown, batch: Batch | undefined): void {
    const { problem, answer, standIn } = refusalOf(value);
    this.#options.report(refused(problem));
    if (standIn !== undefined) this.#receiveAnswer(standIn);
    if (answer === undefined) return;
    const text = JSON.stringify(answer);
    if (batch === undefined) this.#options.write(text);
    else batch.settle(undefined, text);
  }

  #receiveAnswer(message: JSONRPCResponse): void {
    if (message.id !== undefined) this.#questions.delete(message.id);
    this.#options.deliver(message);
  }

  #receiveRequest(request: JSONRPCRequest, bytes: number, batch: Batch | undefined): void {
    const { id, method } = request;
    if (this.#requests.has(id)) {
      this.#options.report(duplicateRequest(id, method));
      return;
    }
    if (batch !== undefined) {
      batch.expect(id);
      this.#batches.set(id, batch);
    }
    if (this.#isRefusing) this.#answerClosing(id);
    else this.#requests.add(request, bytes);
  }

  #receiveNotification(message: JSONRPCNotification): void {
    const cancelled = cancelledBy(message);
    // A request that has not begun is known to nobody else.
    if (cancelled === undefined || this.#requests.hasBegun(cancelled)) this.#options.deliver(message);
    if (cancelled === undefined) return;
    this.#batches.get(cancelled)?.settle(cancelled);
    this.#batches.delete(cancelled);
    this.#requests.settle(cancelled);
  }

  #answerClosing(id: RequestId): void {
    const answer = errorAnswer(id, ProtocolErrorCode.InternalError, 'The server is closing; the request was not finished');
    this.answer(JSON.stringify(answer), id);
  }
}

function refused(problem: string): Error {
  return new Error(`a message was refused: ${problem}`);
}
