import { randomUUID } from 'node:crypto';

import { inputResponse, type InputRequest } from '@modelcontextprotocol/server';

import { ToolError } from '../../errors.ts';
import type { CallState } from './call-state.ts';
import { markOf, type Question } from './question.ts';
import { Suspension } from './suspension.ts';
import { Unanswered } from './unanswered.ts';

/** An unusable answer is asked for again, so often in all. */
const MAX_ATTEMPTS = 3;

/** A question that has no answer yet. */
export interface Waiting extends Pick<Question<unknown>, 'patienceMs' | 'result'> {
  readonly request: InputRequest;
  readonly reject: (suspension: Suspension) => void;
}

/** Shown above a question whose text changed after the user answered. */
const CHANGED = 'The question changed after it was answered.';

interface Round {
  readonly answers: Map<string, unknown>;
  /** Fingerprints of questions, by key. */
  readonly asked: Map<string, string>;
  readonly attempts: Map<string, number>;
  readonly elicitationIds: Map<string, string>;
  readonly responses: ReadonlyMap<string, unknown>;
  readonly waiting: Map<string, Waiting>;
}

/**
 * What one round of a call asks the client. A question whose answer is not there yet makes the handler leave; the call runs
 * again with the answers. Questions that begin together are asked together.
 */
export class Questions {
  readonly #earlier: CallState;
  readonly #responses: Readonly<Record<string, unknown>>;
  /** Made with the first question, because most calls have none. */
  #round: Round | undefined;
  #suspension: Suspension | undefined;

  /** `state` is what earlier rounds of the call left, `responses` what the client answered last. */
  constructor(state: CallState, responses: Readonly<Record<string, unknown>> = {}) {
    this.#earlier = state;
    this.#responses = responses;
  }

  /** There once the handler has to be left; whatever it does after that does not count. */
  get suspension(): Suspension | undefined {
    return this.#suspension;
  }

  /** The key of a question that was asked and has no answer yet. */
  get unanswered(): string | undefined {
    return this.#round?.waiting.keys().next().value;
  }

  /** What the client has to be asked before the next round, by the keys of the questions. */
  get waiting(): ReadonlyMap<string, Waiting> {
    return this.#opened.waiting;
  }

  /** What the next round has to know of this one and those before. */
  get state(): CallState {
    const { answers, asked, attempts, elicitationIds } = this.#opened;
    return {
      answers: Object.fromEntries(answers),
      asked: Object.fromEntries(asked),
      attempts: Object.fromEntries(attempts),
      elicitationIds: Object.fromEntries(elicitationIds),
    };
  }

  /** The identifier of a question, the same in all rounds of the call. */
  elicitationId(key: string): string {
    const { elicitationIds } = this.#opened;
    const id = elicitationIds.get(key) ?? randomUUID();
    elicitationIds.set(key, id);
    return id;
  }

  /** @throws Suspension if the answer is not there yet; ToolError INVALID_ANSWER, or that of a question without answer */
  async ask<Answer>(question: Question<Answer>): Promise<Answer> {
    if (this.#suspension !== undefined) throw this.#suspension;
    const { key } = question;
    const { answers, asked, responses } = this.#opened;
    const request = question.request();
    const mark = markOf(question, request);
    const before = asked.get(key);
    asked.set(key, mark);
    if (before === undefined) return this.#wait(question, request);
    if (before !== mark) return this.#askAgain(question, CHANGED);
    const given = answers.get(key) ?? responses.get(key);
    if (given instanceof Unanswered) throw question.unanswered(given.cause);
    const response = inputResponse({ answer: given }, 'answer');
    if (response.kind === 'missing') return this.#wait(question, request);
    const reading = await question.read(response);
    if (reading.kind === 'unusable') return this.#askAgain(question, reading.problem);
    answers.set(key, given);
    return reading.answer;
  }

  get #opened(): Round {
    return (this.#round ??= {
      answers: new Map(Object.entries(this.#earlier.answers)),
      asked: new Map(Object.entries(this.#earlier.asked)),
      attempts: new Map(Object.entries(this.#earlier.attempts)),
      elicitationIds: new Map(Object.entries(this.#earlier.elicitationIds)),
      responses: new Map(Object.entries(this.#responses)),
      waiting: new Map(),
    });
  }

  async #askAgain(question: Question<unknown>, problem: string | undefined): Promise<never> {
    const { key } = question;
    const { answers, attempts } = this.#opened;
    const attempt = (attempts.get(key) ?? 0) + 1;
    if (attempt >= MAX_ATTEMPTS)
      throw new ToolError('INVALID_ANSWER', [`the answer to "${key}" cannot be used`, ...(problem ? [problem] : [])].join('\n'));
    answers.delete(key);
    attempts.set(key, attempt);
    return this.#wait(question, question.request(problem));
  }

  #wait({ key, patienceMs, result }: Question<unknown>, request: InputRequest): Promise<never> {
    const { waiting } = this.#opened;
    if (waiting.size === 0) setImmediate(() => this.#suspend());
    return new Promise<never>((_, reject) => waiting.set(key, { request, patienceMs, ...(result && { result }), reject }));
  }

  #suspend(): void {
    const suspension = new Suspension();
    this.#suspension = suspension;
    for (const { reject } of this.#opened.waiting.values()) reject(suspension);
  }
}
