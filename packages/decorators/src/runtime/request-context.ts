import type { AuthInfo, ProtocolEra, ServerContext } from '@modelcontextprotocol/server';

import { ToolError } from '../errors.ts';
import { REQUEST_CONTEXT } from '../metadata/brand.ts';
import type { Constructor } from '../metadata/lineage.ts';
import { callerOf, clientOf, protocolVersionOf, setCaller, type ClientDescription } from './caller.ts';
import { Changes, type ListKind } from './changes.ts';
import type { Connection } from './connection.ts';
import type { Consent } from './consent.ts';
import type { Deadline } from './limits/deadline.ts';
import { loggerOf, type Logger } from './logger.ts';
import type { Progress } from './progress.ts';
import { CLIENT_ROOTS_KEY, clientRoots, type ClientRoot, type RootsQuestion } from './questions/client-roots.ts';
import { elicitation, type Elicited, type ElicitOptions } from './questions/elicitation.ts';
import { formOfClass, formOfSchema, type Form, type FormSchema } from './questions/form.ts';
import { canAnswer } from './questions/ask-session.ts';
import type { Question } from './questions/question.ts';
import type { Questions } from './questions/questions.ts';
import { urlElicitation, type ElicitedUrl, type PageQuestion, type UrlElicited } from './questions/url-elicitation.ts';
import { sampling, type SamplingRequest, type SamplingResult } from './questions/sampling.ts';
import { ownerOf } from './principal.ts';
import type { SealedValue } from './sealing.ts';
import { singleUse, spendOnce, type Wording } from './spent-seals.ts';
import { unattended } from './unattended.ts';

/** What the context of one request is made of. */
export interface ContextParts {
  readonly connection: Connection;
  readonly request: ServerContext;
  /** Of the tool or prompt that is called, or the resource's URI. */
  readonly name: string;
  readonly progress: Progress;
  /** `undefined` in a request that cannot wait for the client's answer. */
  readonly questions: Questions | undefined;
  readonly deadline: Deadline | undefined;
  /** How often the client's roots had changed when the call began. */
  readonly rootsChanges: number;
}

/** Error texts and an additional check for {@link RequestContext.unsealOnce}. */
export interface OnceOptions extends Wording {
  /** Called before the seal is marked as used; if the check throws, the seal remains valid. */
  readonly check?: (value: unknown) => void;
}

const CURSOR: Wording = { subject: 'the cursor', hint: 'call again without the cursor to begin at the first page' };

let create: (parts: ContextParts) => RequestContext;

export function contextOf(parts: ContextParts): RequestContext {
  return create(parts);
}

/**
 * What a method may do besides returning a result: observe cancellation, report progress, log to and ask the client.
 *
 * `elicit`, `sample` and `roots` are plain awaits, alike in every revision: where the client has to be asked, the method is left at
 * the `await` by a rejection, so that `finally` and `await using` run and nothing is held while somebody thinks, and runs again from
 * its beginning with the answer. What stands before the last question runs several times, so side effects come after it. What
 * a method does once it was left does not count. Questions that begin together, as in `Promise.all`, are asked together.
 */
export class RequestContext {
  static {
    Object.defineProperty(this, REQUEST_CONTEXT, { value: true });
    create = (parts) => new RequestContext(parts);
  }

  /**
   * Aborted when the client cancels, its stream closes, the tool's `timeoutMs` is over or the server shuts down. A cancelled
   * request is not answered.
   */
  readonly signal: AbortSignal;
  readonly #parts: ContextParts;
  #asked: Set<string> | undefined;
  #log: Logger | undefined;
  #roots: Promise<readonly ClientRoot[] | undefined> | undefined;

  private constructor(parts: ContextParts) {
    this.#parts = parts;
    this.signal = parts.deadline?.signal ?? parts.request.mcpReq.signal;
    setCaller(this.signal, callerOf(parts.connection, parts.request));
  }

  /** Log messages to the client. */
  get log(): Logger {
    const { request, progress } = this.#parts;
    return (this.#log ??= loggerOf(request.mcpReq, () => progress.isOver));
  }

  /** The program that calls. */
  get client(): ClientDescription {
    return clientOf(this.#parts.connection, this.#parts.request);
  }

  /** The revision of the protocol, for instance `2026-07-28`. */
  get protocolVersion(): string {
    return protocolVersionOf(this.#parts.connection, this.#parts.request);
  }

  /** `legacy` for sessions opened by `initialize` (until 2025-11-25), `modern` for requests that carry everything. */
  get era(): ProtocolEra {
    return this.#parts.connection.era;
  }

  /** What the access token of an HTTP request says; `undefined` without one. */
  get auth(): AuthInfo | undefined {
    return this.#parts.request.http?.authInfo;
  }

  /** The session's id over HTTP; `undefined` where there is none. */
  get sessionId(): string | undefined {
    return this.#parts.request.sessionId;
  }

  /** Over HTTP, what may be done with this request's stream; `undefined` elsewhere. */
  get http(): { closeStream(): void } | undefined {
    const { http } = this.#parts.request;
    return http && { closeStream: () => http.closeSSE?.() };
  }

  /** Whether the client asked for progress: what is costly to find out need not be found out otherwise. */
  get progressWanted(): boolean {
    return this.#parts.progress.isWanted;
  }

  /** How calls of this tool are confirmed that may lose something, for `confirm()`. */
  get consent(): Consent {
    const { connection, request, name } = this.#parts;
    const { key, isShared } = callerOf(connection, request);
    return connection.served.consents.of(isShared ? undefined : key, name);
  }

  /**
   * Reports progress; does nothing if the client did not ask for it.
   *
   * `value` must increase, in the unit of `total`; values that do not are ignored. Safe to call in a tight loop: at most 10 a
   * second are sent after a burst of 5, and the last one before the result.
   */
  progress(value: number, total?: number, message?: string): void {
    this.#parts.progress.report(value, total, message);
  }

  /**
   * Returns a text for a value that the client brings back, such as the position of the next page. The text is a handle of 20
   * characters, and the server keeps the value in bounded memory. With {@link ServerFactoryOptions.stateKey}, the text is the
   * signed value itself, which other processes accept; the client can read it.
   *
   * @param value JSON
   */
  seal(value: unknown): Promise<string> {
    const { connection, request, name: owner } = this.#parts;
    return connection.served.sealing.values.mint({ owner, value }, request);
  }

  /**
   * Returns the value of {@link RequestContext.seal}, if the same tool, prompt or resource of this server sealed the value for the
   * same principal, at most a day ago.
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
    const { sealing, spent } = connection.served;
    return sealing.values.mint({ owner, value, once: singleUse(spent) }, request);
  }

  /**
   * Returns a value of {@link RequestContext.sealOnce} to the first call that presents the seal, under the conditions of
   * {@link RequestContext.unseal}.
   *
   * @throws ToolError INVALID_ARGUMENTS for any other text, PRECONDITION_FAILED if the seal was used before or by another process
   */
  async unsealOnce(text: string, { check, ...wording }: OnceOptions): Promise<unknown> {
    const { connection, request } = this.#parts;
    const { value, once } = await this.#open(text, wording);
    if (once === undefined) throw notSealed(wording);
    check?.(value);
    await spendOnce(connection.served.spent, { ...once, owner: ownerOf(request) }, wording);
    return value;
  }

  /**
   * Asks the user to fill in a form: an input class of strings, numbers, booleans and choices, or a JSON Schema.
   *
   * `key` names the question; each question of a call has its own. An answer that does not fit the form is asked for again,
   * three times in all. Over HTTP and stdio a person has 10 minutes.
   *
   * @returns the action and, if it is `accept`, the content: an instance of the class, validated
   * @throws ToolError CLIENT_CAPABILITY_REQUIRED if a session's client cannot ask its user (on 2026-07-28 the call is answered
   * with the error −32021), INVALID_ANSWER after three answers that do not fit, NO_ANSWER; TypeError for a key that was used
   * already; DefinitionError for a form that is not flat, or has a text field for a secret
   */
  elicit<Content extends object>(
    key: string,
    message: string,
    form: Constructor<Content>,
    options?: ElicitOptions,
  ): Promise<Elicited<Content>>;
  /** Asks by a JSON Schema; the content is a plain object. */
  elicit(
    key: string,
    message: string,
    form: FormSchema,
    options?: ElicitOptions,
  ): Promise<Elicited<Readonly<Record<string, unknown>>>>;
  elicit(key: string, message: string, form: Constructor | FormSchema, options: ElicitOptions = {}): Promise<Elicited<object>> {
    const asked = (): Form<object> => (typeof form === 'function' ? formOfClass(form) : formOfSchema(form));
    return unattended(this.#askOnce(key, () => elicitation<object>({ key, message, ...options }, asked())));
  }

  /**
   * Asks the user to open a page, for what must not pass through the client: secrets, payments, a login elsewhere.
   *
   * `url` must not grant access by itself, because the client sees it: the page has to find out who opened it. The function form gets
   * an unguessable identifier of the question. `accept` means that the user agreed to open the page; wait for what the page is for,
   * then call `complete`. `key` names the question, as in `elicit`.
   *
   * @throws ToolError CLIENT_CAPABILITY_REQUIRED if a session's client cannot open pages (on 2026-07-28 the call is answered with the
   * error −32021), NO_ANSWER; TypeError for a key that was used already, or a URL that is not absolute, of http or https
   */
  elicitUrl(key: string, message: string, url: ElicitedUrl, options: ElicitOptions = {}): Promise<UrlElicited> {
    return unattended(this.#askToOpen({ key, message, url, ...options }));
  }

  /**
   * Asks the client's model; deprecated by the protocol, and few clients support it. `key` names the question, as in `elicit`.
   *
   * @throws ToolError CLIENT_CAPABILITY_REQUIRED if a session's client has no model to ask (on 2026-07-28 the call is answered
   * with the error −32021), NO_ANSWER
   */
  sample(key: string, request: SamplingRequest): Promise<SamplingResult> {
    return unattended(this.#askOnce(key, () => sampling(key, request)));
  }

  /**
   * The directories that the client allows; `undefined` if it has none to tell. Completions on 2026-07-28 cannot ask and get
   * `undefined`.
   *
   * A session's client is asked on the stream of the call: once until its roots change or, if it does not announce changes, once
   * in 5 seconds. On 2026-07-28 every call asks. What has no `uri` of at most 16,384 characters is left out, and so is what comes
   * after 1,000 roots.
   *
   * @throws ToolError NO_ANSWER if the client fails to answer, or not in time; INVALID_ANSWER if nothing of its list is a root
   */
  roots(question?: RootsQuestion): Promise<readonly ClientRoot[] | undefined> {
    return (this.#roots ??= unattended(this.#findRoots(clientRoots(question))));
  }

  /** Tells every client of this server object that a list has changed and is worth asking for again. */
  listChanged(kind: ListKind): void {
    Changes.of(this.#parts.connection.served.server).publish({ kind: `${kind}_list_changed` });
  }

  /**
   * Tells every client that subscribed to a resource that it has changed: for a tool that changes what the resource shows.
   *
   * `uri` is compared as it stands with what clients subscribed to. A change that the server's own `watch` tells of as well
   * reaches them twice.
   */
  resourceUpdated(uri: string): void {
    Changes.of(this.#parts.connection.served.server).publish({ kind: 'resource_updated', uri });
  }

  async #open(text: string, wording: Wording): Promise<SealedValue> {
    const { connection, request, name } = this.#parts;
    const sealed = await connection.served.sealing.values.verify(text, request).catch(() => undefined);
    if (sealed?.owner !== name) throw notSealed(wording);
    return sealed;
  }

  async #findRoots(question: Question<readonly ClientRoot[]>): Promise<readonly ClientRoot[] | undefined> {
    const { connection, questions, rootsChanges } = this.#parts;
    const { knownRoots } = connection;
    const capability = this.client.capabilities.roots;
    if (capability === undefined || questions === undefined) return undefined;
    if (this.era === 'modern') return this.#ask(question);
    if (knownRoots.roots !== undefined) return knownRoots.roots;
    const roots = await this.#ask(question);
    if (knownRoots.changes === rootsChanges) knownRoots.keep(roots, capability.listChanged === true);
    return roots;
  }

  async #askToOpen(asked: PageQuestion): Promise<UrlElicited> {
    const { questions, request } = this.#parts;
    const elicitationId = questions?.elicitationId(asked.key) ?? '';
    const isSession = this.era === 'legacy';
    const action = await this.#askOnce(asked.key, () => urlElicitation({ ...asked, elicitationId, sendsId: isSession }));
    if (action !== 'accept') return { action };
    const completed = { method: 'notifications/elicitation/complete' as const, params: { elicitationId } };
    return { action, elicitationId, complete: async () => (isSession ? request.mcpReq.notify(completed) : undefined) };
  }

  async #askOnce<Answer>(key: string, question: () => Question<Answer>): Promise<Answer> {
    this.#claim(key);
    return this.#ask(question());
  }

  async #ask<Answer>(question: Question<Answer>): Promise<Answer> {
    const { questions, connection } = this.#parts;
    if (questions === undefined) throw new TypeError('a completion cannot ask the client; 2026-07-28 has no way to');
    if (this.era === 'legacy' && !canAnswer(connection.server, question))
      throw new ToolError('CLIENT_CAPABILITY_REQUIRED', `the client does not support ${nameOf(question)}, which this needs`);
    return questions.ask(question);
  }

  /** A key that is asked twice would get the same answer twice. */
  #claim(key: string): void {
    this.#asked ??= new Set([CLIENT_ROOTS_KEY]);
    if (this.#asked.has(key)) throw new TypeError(`the question "${key}" was asked in this call already; give it its own key`);
    this.#asked.add(key);
  }
}

function nameOf({ capability, mode }: Question<unknown>): string {
  return mode === 'url' ? 'URL elicitation' : capability;
}

function notSealed({ subject, hint }: Wording): ToolError {
  const message = `${subject} is unknown: it is older than a day, from before a restart, or not from this tool for this caller`;
  return new ToolError('INVALID_ARGUMENTS', message, { hint });
}
