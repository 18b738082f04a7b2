import { setMaxListeners } from 'node:events';

import type { AuthInfo, ProtocolEra, ServerContext } from '@modelcontextprotocol/server';

import type { Constructor } from '../../metadata/lineage.ts';
import { REQUEST_CONTEXT } from '../../metadata/request-context-brand.ts';
import { ToolError } from '../../results/tool-error.ts';
import { ChangeBus, type ListKind } from '../changes/change-bus.ts';
import {
  getSealOwner,
  identifyCaller,
  setCaller,
  describeClient,
  readProtocolVersion,
  sendsStructure,
  showsApps,
  type ClientDescription,
} from '../client/client.ts';
import {
  CLIENT_ROOTS_KEY,
  createRootsQuestion,
  type ClientRoot,
  type KnownRoots,
  type RootsOptions,
} from '../input-requests/client-roots.ts';
import { createFormQuestion, type ElicitOptions, type ElicitOutcome } from '../input-requests/elicitation.ts';
import { createClassForm, createSchemaForm, type Form, type FormSchema } from '../input-requests/form.ts';
import type { InputRequests } from '../input-requests/input-requests.ts';
import type { Question } from '../input-requests/question.ts';
import { createSamplingQuestion, type SamplingRequest, type SamplingResult } from '../input-requests/sampling.ts';
import { supportsQuestion } from '../input-requests/session-client.ts';
import {
  createUrlQuestion,
  type ElicitedUrl,
  type PageQuestion,
  type UrlElicitOutcome,
} from '../input-requests/url-elicitation.ts';
import type { Deadline } from '../limits/deadline.ts';
import type { Consent } from '../seals/consent.ts';
import type { SealedValue } from '../seals/sealed-value.ts';
import { createSingleUse, spendOnce, type SealErrorText } from '../seals/spent-seals.ts';
import type { Connection } from './connection.ts';
import { createLogger, type Logger } from './logger.ts';
import type { Progress } from './progress.ts';

/** Parts from which the context of a request is created. */
export interface ContextParts {
  readonly connection: Connection;
  readonly request: ServerContext;
  /** Name of the tool or prompt, or URI of the resource. */
  readonly name: string;
  readonly progress: Progress;
  /** Requests for input from the client; `undefined` if the request cannot wait for input. */
  readonly inputRequests: InputRequests | undefined;
  readonly deadline: Deadline | undefined;
  /** The roots of the session at the start of the call. The connection has other roots if the client has announced a change since. */
  readonly knownRoots: KnownRoots;
}

/** Error texts and an additional check for {@link RequestContext.unsealOnce}. */
export interface UnsealOnceOptions extends SealErrorText {
  /** Called before the seal is marked as used; if the check throws, the seal remains valid. */
  readonly check?: (value: unknown) => void;
}

const CURSOR: SealErrorText = { subject: 'the cursor', hint: 'omit the cursor to start at the first page' };

let create: (parts: ContextParts) => RequestContext;

export function createContext(parts: ContextParts): RequestContext {
  return create(parts);
}

/**
 * Services for a method besides its result: cancellation, progress, log messages and questions to the client.
 *
 * `elicit`, `sample` and `roots` behave the same in all protocol versions. While the client has not answered, the `await`
 * rejects and the method is suspended. `finally` and `await using` run, so nothing stays allocated while a person thinks. The
 * method then runs again from its beginning, with the answer. Code before the last question runs several times, so side
 * effects must come after the last question. Anything that a suspended method still does is ignored. Questions that start
 * together, as in `Promise.all`, are sent together.
 */
export class RequestContext {
  static {
    Object.defineProperty(this, REQUEST_CONTEXT, { value: true });
    create = (parts) => new RequestContext(parts);
  }

  readonly #parts: ContextParts;
  #signal: AbortSignal | undefined;
  #asked: Set<string> | undefined;
  #log: Logger | undefined;
  #roots: Promise<readonly ClientRoot[] | undefined> | undefined;

  private constructor(parts: ContextParts) {
    this.#parts = parts;
  }

  /**
   * Aborted when the client cancels, its stream closes, the tool's `timeoutMs` is over or the server shuts down. A cancelled
   * request gets no response.
   */
  get signal(): AbortSignal {
    return (this.#signal ??= prepareSignal(this.#parts));
  }

  /** Sends log messages to the client. */
  get log(): Logger {
    const { request, progress } = this.#parts;
    return (this.#log ??= createLogger(request.mcpReq, () => progress.isOver));
  }

  /** The client program. */
  get client(): ClientDescription {
    return describeClient(this.#parts.connection, this.#parts.request);
  }

  /** Protocol version, for instance `2026-07-28`. */
  get protocolVersion(): string {
    return readProtocolVersion(this.#parts.connection, this.#parts.request);
  }

  /** `legacy` for sessions opened by `initialize` (until 2025-11-25), `modern` for self-contained requests (from 2026-07-28). */
  get era(): ProtocolEra {
    return this.#parts.connection.era;
  }

  /** Contents of the access token of an HTTP request; `undefined` without a token. */
  get auth(): AuthInfo | undefined {
    return this.#parts.request.http?.authInfo;
  }

  /** Session ID over HTTP; `undefined` without a session. */
  get sessionId(): string | undefined {
    return this.#parts.request.sessionId;
  }

  /** Controls the HTTP stream of this request; `undefined` for other transports. */
  get http(): { closeStream(): void } | undefined {
    const { http } = this.#parts.request;
    return http && { closeStream: () => http.closeSSE?.() };
  }

  /** Whether the client requested progress. If not, a method need not compute its progress. */
  get progressWanted(): boolean {
    return this.#parts.progress.isWanted;
  }

  /**
   * Whether the client gets structured content. If not, a tool need not compute what only its structured content contains.
   */
  get structureWanted(): boolean {
    const { connection, request } = this.#parts;
    return sendsStructure(connection.runtime.structured, connection, request);
  }

  /** Whether the client shows views of MCP Apps. If not, a tool need not keep what only its view needs. */
  get viewsShown(): boolean {
    return showsApps(this.#parts.connection, this.#parts.request);
  }

  /** Decisions of the operator and the user that `confirm()` applies. */
  get consent(): Consent {
    const { connection, request, name } = this.#parts;
    const { key, isShared } = identifyCaller(connection, request);
    return connection.runtime.consents.of(isShared ? undefined : key, name);
  }

  /**
   * Reports progress. Does nothing if the client did not request progress.
   *
   * `value` must increase, in the unit of `total`; other values are ignored. A tight loop may call this method: after a
   * burst of 5, at most 10 notifications per second are sent. The last value is sent before the result.
   */
  progress(value: number, total?: number, message?: string): void {
    this.#parts.progress.report(value, total, message);
  }

  /**
   * Returns a text that represents a value, such as the position of the next page; the client passes the text back. The text is a
   * handle of 20 characters, and the server keeps the value in bounded memory. With {@link ServerFactoryOptions.stateKey}, the
   * text is the signed value itself, which other processes accept and the client can read.
   *
   * @param value JSON
   */
  seal(value: unknown): Promise<string> {
    const { connection, request, name: owner } = this.#parts;
    return connection.runtime.sealing.values.mint({ owner, value }, request);
  }

  /**
   * Returns the value of {@link RequestContext.seal} within a day, to the same tool, prompt or resource of this server and the
   * same principal. Without {@link ServerFactoryOptions.stateKey}, the value is lost earlier if the process ends or has to make
   * room for newer values.
   *
   * @throws ToolError INVALID_ARGUMENTS for any other text
   */
  async unseal(text: string): Promise<unknown> {
    return (await this.#open(text, CURSOR)).value;
  }

  /**
   * Seals a value for a single use, such as a permission. Processes that share a state key accept seals of each other only if they
   * also share {@link ServerFactoryOptions.spent}.
   *
   * @param value JSON
   */
  sealOnce(value: unknown): Promise<string> {
    const { connection, request, name: owner } = this.#parts;
    const { sealing, spent } = connection.runtime;
    return sealing.values.mint({ owner, value, once: createSingleUse(spent) }, request);
  }

  /**
   * Returns a value of {@link RequestContext.sealOnce} to the first call that presents the seal, under the conditions of
   * {@link RequestContext.unseal}.
   *
   * @throws ToolError INVALID_ARGUMENTS for any other text, PRECONDITION_FAILED if the seal was used before, or was made by a
   *   process that does not share {@link ServerFactoryOptions.spent}
   */
  async unsealOnce(text: string, { check, ...wording }: UnsealOnceOptions): Promise<unknown> {
    const { connection, request } = this.#parts;
    const { value, once } = await this.#open(text, wording);
    if (once === undefined) throw unknownSeal(wording);
    check?.(value);
    await spendOnce(connection.runtime.spent, { ...once, owner: getSealOwner(request) }, wording);
    return value;
  }

  /**
   * Asks the user to fill in a form: an input class of strings, numbers, booleans and choices, or a JSON Schema.
   *
   * `key` identifies the question within the call and must be unique there. The question is sent at most three times until an
   * answer fits the form. Over HTTP and stdio, a person has 10 minutes.
   *
   * @returns the action and, if it is `accept`, the content: a validated instance of the class
   * @throws ToolError CLIENT_CAPABILITY_REQUIRED if a session's client cannot ask its user (on 2026-07-28 the response is the
   *   error −32021), INVALID_ANSWER after three answers that do not fit, NO_ANSWER if the client fails to answer in time;
   *   TypeError if the key was used before; DefinitionError if the form is not flat, or has a text field for a secret
   */
  elicit<Content extends object>(
    key: string,
    message: string,
    form: Constructor<Content>,
    options?: ElicitOptions,
  ): Promise<ElicitOutcome<Content>>;
  /** Asks with a JSON Schema; the content is a plain object. */
  elicit(
    key: string,
    message: string,
    form: FormSchema,
    options?: ElicitOptions,
  ): Promise<ElicitOutcome<Readonly<Record<string, unknown>>>>;
  elicit(
    key: string,
    message: string,
    form: Constructor | FormSchema,
    options: ElicitOptions = {},
  ): Promise<ElicitOutcome<object>> {
    const asked = (): Form<object> => (typeof form === 'function' ? createClassForm(form) : createSchemaForm(form));
    return ignoreUnhandled(this.#askOnce(key, () => createFormQuestion<object>({ key, message, ...options }, asked())));
  }

  /**
   * Asks the user to open a page, for anything that must not pass through the client: secrets, payments, a login elsewhere.
   *
   * `url` must not grant access by itself, because the client sees it: the page must authenticate its visitor. The function form
   * gets an unguessable identifier of the question. `accept` means that the user agreed to open the page; wait for the user to
   * finish there, then call `complete`. `key` identifies the question, as in `elicit`.
   *
   * @throws ToolError CLIENT_CAPABILITY_REQUIRED if a session's client cannot open pages (on 2026-07-28 the response is the error
   *   −32021), NO_ANSWER if the client fails to answer in time; TypeError if the key was used before, or the URL is not an
   *   absolute http or https URL
   */
  elicitUrl(key: string, message: string, url: ElicitedUrl, options: ElicitOptions = {}): Promise<UrlElicitOutcome> {
    return ignoreUnhandled(this.#askToOpen({ key, message, url, ...options }));
  }

  /**
   * Asks the client's model. Deprecated by the protocol, and few clients support it. `key` identifies the question, as in
   * `elicit`.
   *
   * @throws ToolError CLIENT_CAPABILITY_REQUIRED if a session's client has no model (on 2026-07-28 the response is the error
   *   −32021), NO_ANSWER if the client fails to answer in time
   */
  sample(key: string, request: SamplingRequest): Promise<SamplingResult> {
    return ignoreUnhandled(this.#askOnce(key, () => createSamplingQuestion(key, request)));
  }

  /**
   * Returns the directories that the client allows. Returns `undefined` if the client does not support roots, and in completions
   * on 2026-07-28, which cannot request input.
   *
   * In a session, the roots are requested on the stream of the call: once until they change or, if the client does not
   * announce changes, at most every 5 seconds. On 2026-07-28 every call that needs the roots requests them. Entries without
   * a `uri` of at most 16,384 characters, and entries after the first 1,000, are ignored.
   *
   * @throws ToolError NO_ANSWER if the client fails to answer in time; INVALID_ANSWER if no entry of a non-empty list is a root
   */
  roots(question?: RootsOptions): Promise<readonly ClientRoot[] | undefined> {
    return (this.#roots ??= ignoreUnhandled(this.#findRoots(question)));
  }

  /** Notifies every client of this server object that a list has changed. */
  listChanged(kind: ListKind): void {
    ChangeBus.of(this.#parts.connection.runtime.server).publish({ kind: `${kind}_list_changed` });
  }

  /**
   * Notifies every client with a subscription to the resource that the content has changed. For tools that change the
   * content of a resource. `uri` is compared character by character with the subscribed URIs. If the `watch` of the
   * server also reports the change, clients are notified twice.
   */
  resourceUpdated(uri: string): void {
    ChangeBus.of(this.#parts.connection.runtime.server).publish({ kind: 'resource_updated', uri });
  }

  async #open(text: string, wording: SealErrorText): Promise<SealedValue> {
    const { connection, request, name } = this.#parts;
    const sealed = await connection.runtime.sealing.values.verify(text, request).catch(() => undefined);
    if (sealed?.owner !== name) throw unknownSeal(wording);
    return sealed;
  }

  async #findRoots(options: RootsOptions | undefined): Promise<readonly ClientRoot[] | undefined> {
    const { connection, inputRequests, knownRoots } = this.#parts;
    const capability = this.client.capabilities.roots;
    if (capability === undefined || inputRequests === undefined) return undefined;
    const question = createRootsQuestion(options);
    if (this.era === 'modern') return this.#ask(question);
    const known = connection.knownRoots.roots;
    if (known !== undefined) return known;
    const roots = await this.#ask(question);
    // After an announced change, these roots may be outdated, and the connection no longer uses this object.
    knownRoots.keep(roots, capability.listChanged === true);
    return roots;
  }

  async #askToOpen(asked: PageQuestion): Promise<UrlElicitOutcome> {
    const { inputRequests, request } = this.#parts;
    const elicitationId = inputRequests?.elicitationId(asked.key) ?? '';
    const isSession = this.era === 'legacy';
    const action = await this.#askOnce(asked.key, () => createUrlQuestion({ ...asked, elicitationId, sendsId: isSession }));
    if (action !== 'accept') return { action };
    const completed = { method: 'notifications/elicitation/complete' as const, params: { elicitationId } };
    return { action, elicitationId, complete: async () => (isSession ? request.mcpReq.notify(completed) : undefined) };
  }

  async #askOnce<Answer>(key: string, question: () => Question<Answer>): Promise<Answer> {
    this.#claim(key);
    return this.#ask(question());
  }

  async #ask<Answer>(question: Question<Answer>): Promise<Answer> {
    const { inputRequests, connection } = this.#parts;
    if (inputRequests === undefined)
      throw new TypeError('in protocol version 2026-07-28, a completion cannot request input from the client');
    if (this.era === 'legacy' && !supportsQuestion(connection.sdkServer, question))
      throw new ToolError(
        'CLIENT_CAPABILITY_REQUIRED',
        `this operation needs ${nameCapability(question)}, which the client does not support`,
      );
    return inputRequests.ask(question);
  }

  /** Reserves a key for a question. @throws TypeError for a used key, because both questions would get the same answer */
  #claim(key: string): void {
    this.#asked ??= new Set([CLIENT_ROOTS_KEY]);
    if (this.#asked.has(key))
      throw new TypeError(`the key "${key}" is already used in this call; give each question its own key`);
    this.#asked.add(key);
  }
}

function prepareSignal({ connection, request, deadline }: ContextParts): AbortSignal {
  const signal = deadline?.signal ?? request.mcpReq.signal;
  // A call may wait for hundreds of things at once, each with a listener; the default limit of 10 would print a warning.
  setMaxListeners(0, signal);
  setCaller(signal, identifyCaller(connection, request));
  return signal;
}

function nameCapability({ capability, mode }: Question<unknown>): string {
  return mode === 'url' ? 'URL elicitation' : capability;
}

function unknownSeal({ subject, hint }: SealErrorText): ToolError {
  const message = `${subject} is unknown: it is older than a day, predates a restart, or belongs to another tool or caller`;
  return new ToolError('INVALID_ARGUMENTS', message, { hint });
}

/**
 * Prevents a rejection from ending the process if the promise is rejected before it is awaited, or is never awaited.
 */
export function ignoreUnhandled<Outcome>(promise: Promise<Outcome>): Promise<Outcome> {
  promise.catch(() => undefined);
  return promise;
}
