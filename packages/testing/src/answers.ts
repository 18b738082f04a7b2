import type {
  Client,
  ClientCapabilities,
  CreateMessageRequestParams,
  CreateMessageResult,
  ElicitRequestFormParams,
  ElicitRequestURLParams,
  ElicitResult,
} from '@modelcontextprotocol/client';

import { Inbox, type Received } from './received.ts';

/** What a form is answered with: the content that is accepted, or `decline` or `cancel`. */
export type ElicitationAnswer = Readonly<Record<string, string | number | boolean | string[]>> | 'decline' | 'cancel';

/** A form that the server asked to fill in. */
export interface ElicitationRequest {
  /** What the user reads above it; after an answer that did not fit, with the reasons on further lines. */
  readonly message: string;
  /** JSON Schema of the form. */
  readonly schema: ElicitRequestFormParams['requestedSchema'];
}

/** A page that the server asked to open. */
export interface PageRequest {
  /** What the user reads above the URL. */
  readonly message: string;
  /** The page. */
  readonly url: string;
  /** Identifies the question; `undefined` on 2026-07-28, which has no identifiers. */
  readonly elicitationId: string | undefined;
}

/** What a user does who is asked to open a page. */
export type PageAnswer = 'accept' | 'decline' | 'cancel';

/** A form that the server asked to fill in, and what came of it. */
export interface Elicitation extends ElicitationRequest {
  /** `undefined` until it is answered. */
  readonly answer: ElicitationAnswer | undefined;
}

/** What a client answers when the server asks. It declares the capabilities that have an answer, and no others. */
export interface Answers {
  /**
   * One answer for every form, a list of them for one form after the other, or a function of what is asked. A form for which
   * the list has no answer left, or a function that throws, fails the request.
   */
  readonly elicitation?:
    | ElicitationAnswer
    | readonly ElicitationAnswer[]
    | ((asked: ElicitationRequest) => ElicitationAnswer | Promise<ElicitationAnswer>);
  /** What a user answers who is asked to open a page, or a function of what is asked. */
  readonly page?: PageAnswer | ((asked: PageRequest) => PageAnswer | Promise<PageAnswer>);
  /** The text that a model is taken to have written, or a function of the request that gives the text or a full result. */
  readonly sampling?:
    | string
    | ((request: CreateMessageRequestParams) => string | CreateMessageResult | Promise<string | CreateMessageResult>);
}

/** A root that a client tells of. */
export interface AnsweredRoot {
  /** A `file:` URI. */
  readonly uri: string;
  /** As people read it. */
  readonly name?: string;
}

/** What a client can do and say when it is asked. */
export interface AnsweringOptions {
  /** What the client answers when it is asked for its roots, each time. Default: it has none to tell. */
  readonly roots?: () => readonly AnsweredRoot[] | Promise<readonly AnsweredRoot[]>;
  /** What it answers to forms and to requests for a model. Default: it can be asked for neither. */
  readonly answers?: Answers;
  /** Capabilities that are declared besides those that have answers. */
  readonly capabilities?: ClientCapabilities;
}

/** The capabilities that the answers stand for. */
export function capabilitiesOf({ roots, answers = {}, capabilities }: AnsweringOptions): ClientCapabilities {
  return {
    ...(roots !== undefined && { roots: { listChanged: true } }),
    ...elicitationOf(answers),
    ...(answers.sampling !== undefined && { sampling: {} }),
    ...capabilities,
  };
}

function elicitationOf({ elicitation, page }: Answers): ClientCapabilities {
  if (elicitation === undefined && page === undefined) return {};
  return { elicitation: { ...(elicitation !== undefined && { form: {} }), ...(page !== undefined && { url: {} }) } };
}

/** Answers for a client, and remembers what was asked of it. */
export class Respondent {
  readonly #elicited = new Inbox<Elicitation>('elicitation');

  constructor(client: Client, { roots, answers: { elicitation, page, sampling } = {} }: AnsweringOptions) {
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

  /** The connection is closed. */
  end(): void {
    this.#elicited.end();
  }

  #answerElicitations(client: Client, forms: NonNullable<Answers['elicitation']>, page: Answers['page']): void {
    const answer = answererOf(forms);
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      if (params.mode === 'url') return { action: await answerPage(page, params) };
      const asked = { message: params.message, schema: params.requestedSchema };
      const elicitation: { -readonly [Key in keyof Elicitation]: Elicitation[Key] } = { ...asked, answer: undefined };
      this.#elicited.add(elicitation);
      elicitation.answer = await answer(asked);
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

type Answerer = (asked: ElicitationRequest) => ElicitationAnswer | Promise<ElicitationAnswer>;

function answererOf(answers: NonNullable<Answers['elicitation']>): Answerer {
  if (typeof answers === 'function') return answers;
  if (!isList(answers)) return () => answers;
  const left = [...answers];
  return ({ message }) => {
    const answer = left.shift();
    if (answer === undefined) throw new Error(`there is no answer left for "${message}"`);
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
