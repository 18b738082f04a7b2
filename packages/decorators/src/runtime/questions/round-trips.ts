import { inputRequired, inputResponse, type InputRequest, type InputRequiredResult } from '@modelcontextprotocol/server';

import type { CallState } from './call-state.ts';
import { MAX_ATTEMPTS, unusableAnswer, type Question, type Questions } from './question.ts';
import { Suspension } from './suspension.ts';

interface Waiting {
  readonly request: InputRequest;
  readonly reject: (suspension: Suspension) => void;
}

interface RoundTripsOptions {
  /** What earlier rounds of the call left. */
  readonly state: CallState;
  /** What this round brought. */
  readonly responses: Readonly<Record<string, unknown>> | undefined;
  readonly seal: (state: CallState) => Promise<string>;
}

/**
 * Asks by leaving the handler: the call is answered with what the client has to find out first, and runs again with the
 * answers (2026-07-28). Questions of the same tick travel together.
 */
export class RoundTrips implements Questions {
  readonly #answers: Map<string, unknown>;
  readonly #attempts: Map<string, number>;
  readonly #responses: ReadonlyMap<string, unknown>;
  readonly #seal: RoundTripsOptions['seal'];
  readonly #waiting = new Map<string, Waiting>();
  #suspension: Suspension | undefined;

  constructor({ state: { answers, attempts }, responses = {}, seal }: RoundTripsOptions) {
    this.#answers = new Map(Object.entries(answers));
    this.#attempts = new Map(Object.entries(attempts));
    this.#responses = new Map(Object.entries(responses));
    this.#seal = seal;
  }

  get suspension(): Suspension | undefined {
    return this.#suspension;
  }

  /** @throws Suspension if the answer is not there yet, and ToolError INVALID_ANSWER */
  async ask<Answer>(question: Question<Answer>): Promise<Answer> {
    if (this.#suspension !== undefined) throw this.#suspension;
    const { key } = question;
    const given = this.#answers.get(key) ?? this.#responses.get(key);
    const response = inputResponse({ answer: given }, 'answer');
    if (response.kind === 'missing') return this.#wait(key, question.request());
    const reading = await question.read(response);
    if (reading.kind === 'unusable') return this.#askAgain(question, reading.problem);
    this.#answers.set(key, given);
    return reading.answer;
  }

  leave(): Promise<InputRequiredResult> | undefined {
    return this.#suspension && this.#result();
  }

  async #result(): Promise<InputRequiredResult> {
    const inputRequests = Object.fromEntries([...this.#waiting].map(([key, { request }]) => [key, request]));
    const state = { answers: Object.fromEntries(this.#answers), attempts: Object.fromEntries(this.#attempts) };
    // Roots alone leave nothing to remember: every call asks for them anew.
    const remember = this.#answers.size > 0 || Object.values(inputRequests).some(({ method }) => method !== 'roots/list');
    return inputRequired({ inputRequests, ...(remember && { requestState: await this.#seal(state) }) });
  }

  async #askAgain(question: Question<unknown>, problem: string | undefined): Promise<never> {
    const attempts = (this.#attempts.get(question.key) ?? 0) + 1;
    if (attempts >= MAX_ATTEMPTS) throw unusableAnswer(question.key, problem);
    this.#answers.delete(question.key);
    this.#attempts.set(question.key, attempts);
    return this.#wait(question.key, question.request(problem));
  }

  #wait(key: string, request: InputRequest): Promise<never> {
    if (this.#waiting.size === 0) setImmediate(() => this.#suspend());
    const waiting = new Promise<never>((_, reject) => this.#waiting.set(key, { request, reject }));
    // A question that nobody awaits must not end the process.
    waiting.catch(() => undefined);
    return waiting;
  }

  #suspend(): void {
    const suspension = new Suspension();
    this.#suspension = suspension;
    for (const { reject } of this.#waiting.values()) reject(suspension);
  }
}
