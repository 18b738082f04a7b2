import { randomUUID } from 'node:crypto';

import { inputResponse, type InputRequest } from '@modelcontextprotocol/server';

import { ToolError } from '../../results/tool-error.ts';
import type { CallState } from './call-state.ts';
import { MissingAnswer, fingerprintQuestion, type Question } from './question.ts';

/** Maximum number of times that a question is sent until its answer is usable. */
const MAX_ATTEMPTS = 3;

/** A question without an answer. */
export interface PendingQuestion extends Pick<Question<unknown>, 'timeoutMs' | 'result'> {
  readonly request: InputRequest;
  readonly reject: (suspension: Suspension) => void;
}

/** Shown below the message of a question that changed after the user had answered the question. */
const CHANGED = 'The question changed after it was answered.';

interface Round {
  readonly answers: Map<string, unknown>;
  /** Fingerprints of questions, by key. */
  readonly asked: Map<string, string>;
  readonly attempts: Map<string, number>;
  readonly elicitationIds: Map<string, string>;
  readonly responses: ReadonlyMap<string, unknown>;
  readonly pending: Map<string, PendingQuestion>;
}

/**
 * Input requests to the client in one round of a call, which is one run of its method. A question without an answer suspends the
 * method; the call runs again with the answers. Questions that start together are sent together.
 */
export class InputRequests {
  readonly #earlier: CallState;
  readonly #responses: Readonly<Record<string, unknown>>;
  /** Created with the first question, because most calls have none. */
  #round: Round | undefined;
  #suspension: Suspension | undefined;

  /**
   * @param state state of the earlier rounds
   * @param responses responses of the client to the last round
   */
  constructor(state: CallState, responses: Readonly<Record<string, unknown>> = {}) {
    this.#earlier = state;
    this.#responses = responses;
  }

  /** Suspension of the method by a question without an answer, if any. Anything that the suspended method does is ignored. */
  get suspension(): Suspension | undefined {
    return this.#suspension;
  }

  /** Key of the first question without an answer; `undefined` if every question has an answer. */
  get pendingKey(): string | undefined {
    return this.#round?.pending.keys().next().value;
  }

  /** Questions to send to the client before the next round, by key. */
  get pending(): ReadonlyMap<string, PendingQuestion> {
    return this.#openRound.pending;
  }

  /** State for the next round. */
  get state(): CallState {
    const { answers, asked, attempts, elicitationIds } = this.#openRound;
    return {
      answers: Object.fromEntries(answers),
      asked: Object.fromEntries(asked),
      attempts: Object.fromEntries(attempts),
      elicitationIds: Object.fromEntries(elicitationIds),
    };
  }

  /** Returns the identifier of a question; the same in all rounds of the call. */
  elicitationId(key: string): string {
    const { elicitationIds } = this.#openRound;
    const id = elicitationIds.get(key) ?? randomUUID();
    elicitationIds.set(key, id);
    return id;
  }

  /**
   * Resolves to the answer to a question.
   *
   * @throws Suspension if the answer is missing; ToolError INVALID_ANSWER after three answers that cannot be used, or the
   *   error of a question that the client failed to answer
   */
  async ask<Answer>(question: Question<Answer>): Promise<Answer> {
    if (this.#suspension !== undefined) throw this.#suspension;
    const { key } = question;
    const { answers, asked, responses } = this.#openRound;
    const request = question.request();
    const mark = fingerprintQuestion(question, request);
    const before = asked.get(key);
    asked.set(key, mark);
    if (before === undefined) return this.#wait(question, request);
    if (before !== mark) return this.#askAgain(question, CHANGED);
    const given = answers.get(key) ?? responses.get(key);
    if (given instanceof MissingAnswer) throw question.unanswered(given.cause);
    const response = inputResponse({ answer: given }, 'answer');
    if (response.kind === 'missing') return this.#wait(question, request);
    const reading = await question.read(response);
    if (reading.kind === 'unusable') return this.#askAgain(question, reading.problem);
    answers.set(key, given);
    return reading.answer;
  }

  get #openRound(): Round {
    return (this.#round ??= {
      answers: new Map(Object.entries(this.#earlier.answers)),
      asked: new Map(Object.entries(this.#earlier.asked)),
      attempts: new Map(Object.entries(this.#earlier.attempts)),
      elicitationIds: new Map(Object.entries(this.#earlier.elicitationIds)),
      responses: new Map(Object.entries(this.#responses)),
      pending: new Map(),
    });
  }

  async #askAgain(question: Question<unknown>, problem: string | undefined): Promise<never> {
    const { key } = question;
    const { answers, attempts } = this.#openRound;
    const attempt = (attempts.get(key) ?? 0) + 1;
    if (attempt >= MAX_ATTEMPTS)
      throw new ToolError('INVALID_ANSWER', [`the answer to "${key}" cannot be used`, ...(problem ? [problem] : [])].join('\n'));
    answers.delete(key);
    attempts.set(key, attempt);
    return this.#wait(question, question.request(problem));
  }

  #wait({ key, timeoutMs, result }: Question<unknown>, request: InputRequest): Promise<never> {
    const { pending } = this.#openRound;
    if (pending.size === 0) setImmediate(() => this.#suspend());
    return new Promise<never>((_, reject) => pending.set(key, { request, timeoutMs, ...(result && { result }), reject }));
  }

  #suspend(): void {
    const suspension = new Suspension();
    this.#suspension = suspension;
    for (const { reject } of this.#openRound.pending.values()) reject(suspension);
  }
}

const SUSPENSION = Symbol.for('@org/mcp-decorators/suspension');

/** Thrown when a method must wait for input from the client. The method runs again with the answer. */
export class Suspension extends Error {
  static {
    Object.defineProperty(this.prototype, SUSPENSION, { value: true });
  }

  override readonly name: string = 'Suspension';

  constructor() {
    super('the method waits for input from the client and runs again with it');
  }

  /** Whether an error is a `Suspension` of any installed copy of this package. */
  static is(error: unknown): error is Suspension {
    return error instanceof Error && SUSPENSION in error;
  }
}
