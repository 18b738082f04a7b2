import { isStateless, since, type Revision } from '../messages/cells.ts';
import type { Id, InputRequest, Message, Params, Result, RpcError } from '../messages/message.ts';
import { violationsOf } from '../messages/shapes.ts';
import type { Receiver, Wire } from '../wires/wire.ts';

/** Functions that return the client's answer to a request of the server, by the method of the request. */
export type Answering = Readonly<Record<string, (params: Params) => Readonly<Record<string, unknown>>>>;

export interface ClientOptions {
  /** Capabilities that the client declares. Default: roots, sampling, and elicitation if the revision defines it. */
  readonly capabilities?: Readonly<Record<string, unknown>>;
  /** Whether the client opens a session. Default: true. */
  readonly handshake?: boolean;
  /** Whether the client opens the standalone stream of a session over HTTP. Default: true. */
  readonly listening?: boolean;
}

/** A request that was sent. */
export interface Exchange {
  readonly id: Id;
  /** The response. Rejects if the connection ends before the response arrives. */
  readonly answer: Promise<Message>;
}

/** The response to a request, and all input requests of the server before the response. */
export interface Conversation {
  readonly answer: Message;
  readonly asked: readonly InputRequest[];
}

interface Expected {
  readonly matches: (message: Message) => boolean;
  readonly resolve: (message: Message) => void;
  readonly reject: (error: Error) => void;
}

interface Waiting {
  readonly method: string;
  readonly resolve: (answer: Message) => void;
  readonly reject: (error: Error) => void;
}

/** Maximum number of rounds of a call. */
const MAX_ROUNDS = 10;

/** Answer that refuses an input request. In a session, the client sends an error instead of this value. */
export const REFUSED: Readonly<Record<string, unknown>> = { refused: true };

/**
 * A client that sends any message of one revision, valid or not, and checks the shape of every message that it
 * receives.
 */
export class RawClient implements AsyncDisposable {
  readonly revision: Revision;
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** The result of `initialize`; `undefined` if the client has opened no session. */
  handshake: Result | undefined;
  /** Violations of the protocol in the received messages. */
  readonly violations: string[] = [];
  readonly #received: Message[] = [];
  #expected: Expected[] = [];
  readonly #waiting = new Map<Id, Waiting>();
  #answers: Answering = {};
  readonly #asked: InputRequest[] = [];
  #wire: Wire | undefined;
  #lastId = 0;
  #closed = false;

  private constructor(revision: Revision, { capabilities = capabilitiesOf(revision) }: ClientOptions) {
    this.revision = revision;
    this.capabilities = capabilities;
  }

  /** Creates a client on the wire that `join` opens. Opens a session, unless the revision or the options exclude it. */
  static async open(
    revision: Revision,
    join: (receiver: Receiver) => Wire | Promise<Wire>,
    options: ClientOptions = {},
  ): Promise<RawClient> {
    const client = new RawClient(revision, options);
    client.#wire = await join({ received: (text, answers) => client.#receive(text, answers), closed: () => client.#close() });
    if (options.handshake !== false && !isStateless(revision)) await client.#shakeHands(options.listening !== false);
    return client;
  }

  /** All received messages in the order of arrival; the list grows. */
  get received(): readonly Message[] {
    return this.#received;
  }

  /** Resolves with the next message for which `matches` returns true. Rejects if the connection ends first. */
  upcoming(matches: (message: Message) => boolean): Promise<Message> {
    const message = new Promise<Message>((resolve, reject) => this.#expected.push({ matches, resolve, reject }));
    message.catch(() => undefined);
    return message;
  }

  /** The transport of the client's messages. */
  get wire(): Wire | undefined {
    return this.#wire;
  }

  /** The metadata of every request of 2026-07-28. */
  get envelope(): Readonly<Record<string, unknown>> {
    return {
      'io.modelcontextprotocol/protocolVersion': this.revision,
      'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1.0.0' },
      'io.modelcontextprotocol/clientCapabilities': this.capabilities,
    };
  }

  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  /** Sends a request with the metadata that the revision requires, and with a new id unless one is given. */
  async start(method: string, params: Params = {}, id: Id = this.nextId()): Promise<Exchange> {
    return this.exchange({ jsonrpc: '2.0', id, method, params: this.complete(params) }, id);
  }

  /** Sends a message unchanged. Resolves to `id` and a promise of the response with this id. */
  async exchange(message: Message, id: Id): Promise<Exchange> {
    const answer = this.answerTo(id, message.method);
    await this.write(JSON.stringify(message), message);
    return { id, answer };
  }

  /** Resolves with the response to a request. @throws Error if the connection has ended */
  answerTo(id: Id, method = ''): Promise<Message> {
    if (this.#closed) throw new Error('the connection has ended');
    const answer = new Promise<Message>((resolve, reject) => this.#waiting.set(id, { method, resolve, reject }));
    answer.catch(() => undefined);
    return answer;
  }

  async request(method: string, params: Params = {}): Promise<Message> {
    const { answer } = await this.start(method, params);
    return answer;
  }

  /** Returns the result of a request. @throws Error if the response is an error */
  async result(method: string, params: Params = {}): Promise<Result> {
    const { result, error } = await this.request(method, params);
    if (result !== undefined) return result;
    throw new Error(`${method} was refused: ${JSON.stringify(error)}`);
  }

  /** Returns the error of a request. @throws Error if the response is a result */
  async error(method: string, params: Params = {}): Promise<RpcError> {
    const { result, error } = await this.request(method, params);
    if (error !== undefined) return error;
    throw new Error(`${method} was served: ${JSON.stringify(result)}`);
  }

  /** Calls a tool and returns its result. @throws Error if the response is an error */
  call(name: string, given: Readonly<Record<string, unknown>> = {}): Promise<Result> {
    return this.result('tools/call', { name, arguments: given });
  }

  /** Calls a tool and answers its input requests, in the way of the revision. */
  callAnswering(name: string, answers: Answering, given: Readonly<Record<string, unknown>> = {}): Promise<Conversation> {
    return this.converse('tools/call', { name, arguments: given }, answers);
  }

  /** Sends a request and answers its input requests, in the way of the revision. */
  converse(method: string, params: Params, answers: Answering): Promise<Conversation> {
    return isStateless(this.revision) ? this.#rounds(method, params, answers) : this.#attend(method, params, answers);
  }

  async notify(method: string, params?: Params): Promise<void> {
    const message = { jsonrpc: '2.0', method, ...(params && { params }) };
    await this.write(JSON.stringify(message), message);
  }

  /** Cancels a request in the way of the revision and the transport. */
  async cancel(id: Id): Promise<void> {
    if (isStateless(this.revision) && this.#wire?.abandon) this.#wire.abandon(id);
    else await this.notify('notifications/cancelled', { requestId: id, reason: 'not wanted' });
  }

  /** Sends a text unchanged. */
  async write(text: string, message?: Message): Promise<void> {
    if (this.#wire === undefined) throw new Error('the client is not connected');
    await this.#wire.write(text, message);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#wire?.[Symbol.asyncDispose]();
    this.#close();
  }

  /** Returns params with the metadata that the revision requires. */
  complete(params: Params): Params {
    return isStateless(this.revision) ? { ...params, _meta: { ...this.envelope, ...params._meta } } : params;
  }

  async #shakeHands(listens: boolean): Promise<void> {
    this.handshake = await this.result('initialize', this.introduction);
    await this.notify('notifications/initialized');
    await this.#wire?.established?.(this.handshake.protocolVersion ?? '', listens);
  }

  /** The parameters of `initialize`. */
  get introduction(): Params {
    return {
      protocolVersion: this.revision,
      capabilities: this.capabilities,
      clientInfo: { name: 'raw', version: '1.0.0' },
    };
  }

  async #attend(method: string, params: Params, answers: Answering): Promise<Conversation> {
    const before = this.#asked.length;
    this.#answers = answers;
    const answer = await this.request(method, params);
    this.#answers = {};
    return { answer, asked: this.#asked.slice(before) };
  }

  async #rounds(method: string, params: Params, answers: Answering): Promise<Conversation> {
    const asked: InputRequest[] = [];
    let retry: Params = {};
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const answer = await this.request(method, { ...params, ...retry });
      const { resultType, inputRequests = {}, requestState } = answer.result ?? {};
      if (resultType !== 'input_required') return { answer, asked };
      asked.push(...Object.values(inputRequests));
      const responses = Object.entries(inputRequests).map(([key, request]) => [key, answerOf(request, answers)]);
      retry = { inputResponses: Object.fromEntries(responses), ...(requestState !== undefined && { requestState }) };
    }
    throw new Error(`${method} asked for more than ${MAX_ROUNDS} rounds`);
  }

  #receive(text: string, answers: Id | undefined): void {
    const parsed: Message | readonly Message[] = JSON.parse(text);
    for (const message of Array.isArray(parsed) ? parsed : [parsed]) this.#take(message, answers);
  }

  #take(message: Message, answers: Id | undefined): void {
    const id = message.id ?? answers;
    const waiting = message.method === undefined && id !== undefined ? this.#waiting.get(id) : undefined;
    this.violations.push(...violationsOf(message, this.revision, waiting?.method));
    this.#received.push(message);
    this.#expected = this.#expected.filter(({ matches, resolve }) => !matches(message) || resolve(message));
    if (id !== undefined && waiting !== undefined) {
      this.#waiting.delete(id);
      waiting.resolve(message);
    } else if (message.method !== undefined && message.id !== undefined) this.#respond(message).catch(() => undefined);
  }

  async #respond({ id, method = '', params }: Message): Promise<void> {
    this.#asked.push({ method, ...(params && { params }) });
    const result = answerOf({ method, ...(params && { params }) }, this.#answers);
    const error = { code: -32_603, message: 'not today' };
    const answer = { jsonrpc: '2.0', id, ...(result === REFUSED ? { error } : { result }) };
    await this.write(JSON.stringify(answer), answer as Message);
  }

  #close(): void {
    this.#closed = true;
    for (const { reject } of this.#expected) reject(new Error('the connection ended before the expected message arrived'));
    for (const { method, reject } of this.#waiting.values())
      reject(new Error(`the connection ended before ${method} was answered`));
    this.#waiting.clear();
  }
}

/** Returns the capabilities that a client of a revision declares by default. */
function capabilitiesOf(revision: Revision): Readonly<Record<string, unknown>> {
  const listChanged = isStateless(revision) ? {} : { listChanged: true };
  return {
    roots: listChanged,
    sampling: {},
    ...(since(revision, '2025-06-18') && { elicitation: since(revision, '2025-11-25') ? { form: {}, url: {} } : {} }),
  };
}

function answerOf({ method, params = {} }: InputRequest, answers: Answering): Readonly<Record<string, unknown>> {
  return answers[method]?.(params) ?? REFUSED;
}
