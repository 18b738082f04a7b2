import type {
  Client,
  ClientCapabilities,
  CreateMessageRequestParams,
  CreateMessageResult,
  ElicitRequestFormParams,
  ElicitRequestURLParams,
  ElicitResult,
} from '@modelcontextprotocol/client';

import { Inbox, type Received } from './inbox.ts';

/** Answer to a form: the accepted content, `decline` or `cancel`. */
export type ElicitationAnswer = Readonly<Record<string, string | number | boolean | string[]>> | 'decline' | 'cancel';

/** A form that the server requested. */
export interface ElicitationRequest {
  /** Text above the form. After an invalid answer, further lines contain the reasons. */
  readonly message: string;
  /** JSON Schema of the form. */
  readonly schema: ElicitRequestFormParams['requestedSchema'];
}

/** A page that the server requested to open. */
export interface PageRequest {
  /** Text above the URL. */
  readonly message: string;
  /** URL of the page. */
  readonly url: string;
  /** Identifies the request; `undefined` in protocol 2026-07-28, which has no identifiers. */
  readonly elicitationId: string | undefined;
}

/** The user's answer to a request to open a page. */
export type PageAnswer = 'accept' | 'decline' | 'cancel';

/** A form that the server requested, with its answer. */
export interface Elicitation extends ElicitationRequest {
  /** The answer; `undefined` until the form is answered. */
  readonly answer: ElicitationAnswer | undefined;
}

/**
 * Answers of a client to requests of the server. The client declares the capability for each kind of request that has an answer.
 */
export interface Answers {
  /**
   * One answer for every form, a list of answers for successive forms, or a function of the request. The request fails if the
   * list has no answer left or the function throws.
   */
  readonly elicitation?:
    | ElicitationAnswer
    | readonly ElicitationAnswer[]
    | ((request: ElicitationRequest) => ElicitationAnswer | Promise<ElicitationAnswer>);
  /** Answer to a request to open a page, or a function of the request. */
  readonly page?: PageAnswer | ((request: PageRequest) => PageAnswer | Promise<PageAnswer>);
  /** Text of the sampled message, or a function of the request that returns the text or a full result. */
  readonly sampling?:
    | string
    | ((request: CreateMessageRequestParams) => string | CreateMessageResult | Promise<string | CreateMessageResult>);
}

/** A root that a client reports. */
export interface ReportedRoot {
  /** A `file:` URI. */
  readonly uri: string;
  /** Name for display. */
  readonly name?: string;
}

/** Answers and capabilities of a client. */
export interface AnswerOptions {
  /** Returns the client's roots; called for each request. Default: the client does not support roots. */
  readonly roots?: () => readonly ReportedRoot[] | Promise<readonly ReportedRoot[]>;
  /** Answers to forms, page requests and sampling requests. Default: the client supports none of them. */
  readonly answers?: Answers;
  /** Further capabilities that the client declares. Default: no further capabilities. */
  readonly capabilities?: ClientCapabilities;
}

/** Returns the capabilities that the roots and the answers require, and the further capabilities. */
export function deriveCapabilities({ roots, answers = {}, capabilities }: AnswerOptions): ClientCapabilities {
  return {
    ...(roots !== undefined && { roots: { listChanged: true } }),
    ...deriveElicitation(answers),
    ...(answers.sampling !== undefined && { sampling: {} }),
    ...capabilities,
  };
}

function deriveElicitation({ elicitation, page }: Answers): ClientCapabilities {
  if (elicitation === undefined && page === undefined) return {};
  return { elicitation: { ...(elicitation !== undefined && { form: {} }), ...(page !== undefined && { url: {} }) } };
}

/** Answers the server's requests to a client, and records the forms that the server requests. */
export class Respondent {
  readonly #elicited = new Inbox<Elicitation>('elicitation');

  constructor(client: Client, { roots, answers: { elicitation, page, sampling } = {} }: AnswerOptions) {
    if (roots !== undefined) client.setRequestHandler('roots/list', async () => ({ roots: [...(await roots())] }));
    if (elicitation !== undefined || page !== undefined) this.#answerElicitations(client, elicitation ?? [], page);
    if (sampling !== undefined)
      client.setRequestHandler('sampling/createMessage', async ({ params }) =>
        toMessage(typeof sampling === 'string' ? sampling : await sampling(params)),
      );
  }

  get elicited(): Received<Elicitation> {
    return this.#elicited;
  }

  /** Marks the end: must be called when the connection is closed. */
  end(): void {
    this.#elicited.end();
  }

  #answerElicitations(client: Client, forms: NonNullable<Answers['elicitation']>, page: Answers['page']): void {
    const answer = createAnswerer(forms);
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      if (params.mode === 'url') return { action: await answerPage(page, params) };
      const request = { message: params.message, schema: params.requestedSchema };
      const elicitation: { -readonly [Key in keyof Elicitation]: Elicitation[Key] } = { ...request, answer: undefined };
      this.#elicited.add(elicitation);
      elicitation.answer = await answer(request);
      return toResult(elicitation.answer);
    });
  }
}

function answerPage(
  page: Answers['page'],
  { message, url, elicitationId }: ElicitRequestURLParams,
): PageAnswer | Promise<PageAnswer> {
  if (page === undefined) throw new Error('this client has answers for forms only');
  return typeof page === 'function' ? page({ message, url, elicitationId }) : page;
}

type Answerer = (request: ElicitationRequest) => ElicitationAnswer | Promise<ElicitationAnswer>;

function createAnswerer(answers: NonNullable<Answers['elicitation']>): Answerer {
  if (typeof answers === 'function') return answers;
  if (!isList(answers)) return () => answers;
  const left = [...answers];
  return ({ message }) => {
    const answer = left.shift();
    if (answer === undefined) throw new Error(`no answer is left for "${message}"`);
    return answer;
  };
}

function isList(answers: ElicitationAnswer | readonly ElicitationAnswer[]): answers is readonly ElicitationAnswer[] {
  return Array.isArray(answers);
}

function toResult(answer: ElicitationAnswer): ElicitResult {
  return typeof answer === 'string' ? { action: answer } : { action: 'accept', content: { ...answer } };
}

function toMessage(answer: string | CreateMessageResult): CreateMessageResult {
  if (typeof answer !== 'string') return answer;
  return { role: 'assistant', model: 'none', stopReason: 'endTurn', content: { type: 'text', text: answer } };
}
