import { isStateless, since, type Revision } from './cells.ts';
import type { Id, InputRequest, Message, Params, Result, RpcError } from './message.ts';
import { violationsOf } from './shapes.ts';
import type { Receiver, Wire } from './wires/wire.ts';

/** What the client answers when it is asked, by the method it is asked with. */
export type Answering = Readonly<Record<string, (params: Params) => Readonly<Record<string, unknown>>>>;

export interface ClientOptions {
  /** Default: everything that a client of the revision can have. */
  readonly capabilities?: Readonly<Record<string, unknown>>;
  /** Default: true. Without it, a session is not opened. */
  readonly handshake?: boolean;
  /** Default: true. Without it, a session over HTTP is not listened to. */
  readonly listening?: boolean;
}

/** A request on its way. */
export interface Exchange {
  readonly id: Id;
  /** Rejects if the connection ends before. */
  readonly answer: Promise<Message>;
}

/** A call, and everything the server asked on the way to its answer. */
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

/** Rounds after which a conversation is given up. */
const MAX_ROUNDS = 10;

/** What is answered with an error. */
export const REFUSED: Readonly<Record<string, unknown>> = { refused: true };

/** Speaks one revision by hand, right or wrong, and checks the shape of everything it gets. */
export class RawClient implements AsyncDisposable {
  readonly revision: Revision;
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** What the server answered to `initialize`; 2026-07-28 has none. */
  handshake: Result | undefined;
  /** What is wrong with messages that came. */
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

  /** Joins a client to what `join` opens. */
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

  /** Everything that came, in the order of its arrival; it grows. */
  get received(): readonly Message[] {
    return this.#received;
  }

  /** Resolves with the first message that comes from now on and satisfies `matches`. Rejects if the connection ends before. */
  upcoming(matches: (message: Message) => boolean): Promise<Message> {
    const message = new Promise<Message>((resolve, reject) => this.#expected.push({ matches, resolve, reject }));
    message.catch(() => undefined);
    return message;
  }

  /** What carries its messages. */
  get wire(): Wire | undefined {
    return this.#wire;
  }

  /** What every request of 2026-07-28 says of itself. */
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

  /** Sends a request with what the revision wants in it, and gives it an id unless it is told one. */
  async start(method: string, params: Params = {}, id: Id = this.nextId()): Promise<Exchange> {
    return this.exchange({ jsonrpc: '2.0', id, method, params: this.complete(params) }, id);
  }

  /** Sends a message as it is, and waits for an answer to `id`. */
  async exchange(message: Message, id: Id): Promise<Exchange> {
    const answer = this.answerTo(id, message.method);
    await this.write(JSON.stringify(message), message);
    return { id, answer };
  }

  /** The answer to an id, whatever asks for it. */
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

  /** The result of a request. @throws Error if it is refused */
  async result(method: string, params: Params = {}): Promise<Result> {
    const { result, error } = await this.request(method, params);
    if (result !== undefined) return result;
    throw new Error(`${method} was refused: ${JSON.stringify(error)}`);
  }

  /** The error of a request. @throws Error if it is served */
  async error(method: string, params: Params = {}): Promise<RpcError> {
    const { result, error } = await this.request(method, params);
    if (error !== undefined) return error;
    throw new Error(`${method} was served: ${JSON.stringify(result)}`);
  }

  /** The result of a tool. */
  call(name: string, given: Readonly<Record<string, unknown>> = {}): Promise<Result> {
    return this.result('tools/call', { name, arguments: given });
  }

  /** Calls a tool and answers what it asks, in the way of the revision. */
  callAnswering(name: string, answers: Answering, given: Readonly<Record<string, unknown>> = {}): Promise<Conversation> {
    return this.converse('tools/call', { name, arguments: given }, answers);
  }

  /** Sends a request and answers what it asks, in the way of the revision. */
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

  /** Sends a text as it is. */
  async write(text: string, message?: Message): Promise<void> {
    if (this.#wire === undefined) throw new Error('the client is not connected');
    await this.#wire.write(text, message);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#wire?.[Symbol.asyncDispose]();
    this.#close();
  }

  /** Parameters with what the revision wants in each of them. */
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
    for (const { reject } of this.#expected) reject(new Error('the connection ended before what was expected'));
    for (const { method, reject } of this.#waiting.values())
      reject(new Error(`the connection ended before ${method} was answered`));
    this.#waiting.clear();
  }
}

/** All that a client of a revision can declare. */
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
