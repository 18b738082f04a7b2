import {
  ProtocolErrorCode,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type JSONRPCResponse,
  type RequestId,
} from '@modelcontextprotocol/server';

import { createErrorResponse, duplicateRequest, readCancelledId } from '../protocol/json-rpc.ts';
import { BATCH_REVISION, MAX_BATCH } from '../protocol/revisions.ts';
import { MAX_RESULT } from '../protocol/too-large.ts';
import { explainInvalidMessage, isMessage } from '../protocol/validate-message.ts';
import { Batch } from './batch.ts';
import { RequestScheduler, type SchedulerOptions } from './request-scheduler.ts';

export interface StdioSessionOptions extends Omit<SchedulerOptions, 'start'> {
  /** Passes a message on to the server. */
  readonly deliver: (message: JSONRPCMessage) => void;
  /** Writes a line to the client. */
  readonly write: (line: string) => void;
  /** Receives the mistakes of the client. */
  readonly report: (error: Error) => void;
}

/** The messages of one stdio connection: parses and checks the lines of the client, and writes each response to its line or batch. */
export class StdioSession {
  /** Revision of the session; `undefined` before `initialize` and without a session. */
  revision: string | undefined;
  readonly #options: StdioSessionOptions;
  readonly #requests: RequestScheduler;
  /** Requests of the server that the client has not answered. */
  readonly #serverRequests = new Set<RequestId>();
  #isRefusing = false;

  constructor(options: StdioSessionOptions) {
    this.#options = options;
    this.#requests = new RequestScheduler({ ...options, start: options.deliver });
  }

  /** Whether reading should pause, because too many bytes of requests wait. */
  get isOverloaded(): boolean {
    return this.#requests.isOverloaded;
  }

  /** Resolves when every request is answered or cancelled, except listen streams. */
  whenIdle(): Promise<void> {
    return this.#requests.whenIdle();
  }

  /** Starts waiting requests. Must be called when `isPaused` may have changed. */
  startWaiting(): void {
    this.#requests.startWaiting();
  }

  /** Answers further requests with an error; requests that were read before are still served. */
  refuseRequests(): void {
    this.#isRefusing = true;
  }

  /** Handles a line of the client. */
  read(line: string, bytes: number): void {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      // Empty lines between messages are ignored.
      if (line.trim() !== '') this.refuse(ProtocolErrorCode.ParseError, 'The line is not valid JSON');
      return;
    }
    if (Array.isArray(value)) this.#readBatch(value, bytes);
    else this.#receive(value, bytes);
  }

  /** Answers unreadable input with an error that has no id. */
  refuse(code: number, problem: string): void {
    this.#options.report(invalidMessage(problem));
    this.#options.write(JSON.stringify(createErrorResponse(undefined, code, problem)));
  }

  /** Writes the response to a request, given as JSON. */
  respond(text: string, id: RequestId | undefined): void {
    const batch = id === undefined ? undefined : this.#requests.getBatch(id);
    if (batch === undefined) this.#options.write(text);
    else batch.settle(id, text);
    if (id !== undefined) this.#requests.remove(id);
  }

  /** Records a request of the server; `relatedTo` is the client's request during which the server sends it, if known. */
  addServerRequest(id: RequestId, relatedTo: RequestId | undefined): void {
    this.#serverRequests.add(id);
    if (relatedTo !== undefined) this.#requests.markSlow(relatedTo);
  }

  /** Removes a request that the server cancelled. */
  removeServerRequest(id: RequestId): void {
    this.#serverRequests.delete(id);
  }

  /** Answers the requests of the server with an error, because the client has closed its end of the connection. */
  failServerRequests(): void {
    for (const id of this.#serverRequests)
      this.#receiveResponse(
        createErrorResponse(id, ProtocolErrorCode.InternalError, 'The client has closed its end of the connection'),
      );
  }

  /** Removes all pending requests. If the client still reads, sends an error response for each request. */
  end(isRead: boolean): void {
    const unanswered = this.#requests.clear();
    if (isRead) for (const { request, batch } of unanswered) this.#respondClosing(request.id, batch);
    this.#serverRequests.clear();
  }

  #readBatch(values: readonly unknown[], bytes: number): void {
    const { length } = values;
    if (this.revision !== BATCH_REVISION)
      return this.refuse(ProtocolErrorCode.InvalidRequest, `Only protocol version ${BATCH_REVISION} supports batches`);
    if (length === 0 || length > MAX_BATCH)
      return this.refuse(ProtocolErrorCode.InvalidRequest, `A batch has 1 to ${MAX_BATCH} messages, this one has ${length}`);
    const batch = new Batch(MAX_RESULT, this.#options.write);
    for (const value of values) this.#receive(value, bytes / length, batch);
    batch.end();
  }

  #receive(value: unknown, bytes: number, batch?: Batch): void {
    if (!isMessage(value)) this.#refuseMessage(value, batch);
    else if (!('method' in value)) this.#receiveResponse(value);
    else if ('id' in value) this.#receiveRequest(value, bytes, batch);
    else this.#receiveNotification(value);
  }

  #refuseMessage(value: unknown, batch: Batch | undefined): void {
    const { problem, response, replacement } = explainInvalidMessage(value);
    this.#options.report(invalidMessage(problem));
    if (replacement !== undefined) this.#receiveResponse(replacement);
    if (response === undefined) return;
    const text = JSON.stringify(response);
    if (batch === undefined) this.#options.write(text);
    else batch.settle(undefined, text);
  }

  #receiveResponse(message: JSONRPCResponse): void {
    if (message.id !== undefined) this.#serverRequests.delete(message.id);
    this.#options.deliver(message);
  }

  #receiveRequest(request: JSONRPCRequest, bytes: number, batch: Batch | undefined): void {
    const { id, method } = request;
    if (this.#requests.has(id)) {
      this.#options.report(duplicateRequest(id, method));
      return;
    }
    if (this.#isRefusing) {
      this.#respondClosing(id, batch);
      return;
    }
    batch?.expect(id);
    this.#requests.add(request, bytes, batch);
  }

  #receiveNotification(message: JSONRPCNotification): void {
    const cancelled = readCancelledId(message);
    // The cancellation of a waiting request is not passed on, because the server knows only requests that have started.
    if (cancelled === undefined || this.#requests.isRunning(cancelled)) this.#options.deliver(message);
    if (cancelled === undefined) return;
    this.#requests.getBatch(cancelled)?.settle(cancelled);
    this.#requests.remove(cancelled);
  }

  #respondClosing(id: RequestId, batch: Batch | undefined): void {
    const message = 'The server is closing; the request was not finished';
    const text = JSON.stringify(createErrorResponse(id, ProtocolErrorCode.InternalError, message));
    if (batch === undefined) this.#options.write(text);
    else batch.settle(id, text);
  }
}

function invalidMessage(problem: string): Error {
  return new Error(`rejected an invalid message: ${problem}`);
}
