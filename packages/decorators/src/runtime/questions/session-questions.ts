import { inputResponse, type Server, type ServerContext } from '@modelcontextprotocol/server';

import { ToolError } from '../../errors.ts';
import { MAX_ATTEMPTS, unusableAnswer, type Question, type Questions, type Response } from './question.ts';

/** A person may take so long to answer. */
const ANSWER_MS = 600_000;

/** Longer than this a program is not waited for that only has to look up what it knows. */
const ROOTS_MS = 10_000;

/** Asks by requests of the server's own, while the handler waits; 2024-11-05 to 2025-11-25. */
export class SessionQuestions implements Questions {
  readonly suspension: undefined;
  readonly #server: Server;
  readonly #request: ServerContext['mcpReq'];

  constructor(server: Server, request: ServerContext['mcpReq']) {
    this.#server = server;
    this.#request = request;
  }

  /** @throws ToolError CLIENT_CAPABILITY_REQUIRED, INVALID_ANSWER, or that of a question without answer */
  async ask<Answer>(question: Question<Answer>): Promise<Answer> {
    if (!this.#canAnswer(question))
      throw new ToolError('CLIENT_CAPABILITY_REQUIRED', `the client does not support ${question.capability}, which this needs`);
    let problem: string | undefined;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const reading = await question.read(await this.#send(question, problem));
      if (reading.kind === 'answer') return reading.answer;
      problem = reading.problem;
    }
    throw unusableAnswer(question.key, problem);
  }

  leave(): undefined {
    return undefined;
  }

  #canAnswer({ capability }: Question<unknown>): boolean {
    const declared = this.#server.getClientCapabilities()?.[capability];
    if (capability !== 'elicitation' || declared === undefined) return declared !== undefined;
    // Declared before there were modes, or in so many words.
    return !('url' in declared) || 'form' in declared;
  }

  async #send(question: Question<unknown>, problem: string | undefined): Promise<Response> {
    const { method, params } = question.request(problem);
    const timeout = question.capability === 'roots' ? ROOTS_MS : ANSWER_MS;
    try {
      const request = { method, ...(params !== undefined && { params }) };
      const result = await this.#request.send(request, { timeout, signal: this.#request.signal });
      return inputResponse({ [question.key]: result }, question.key);
    } catch (error) {
      this.#request.signal.throwIfAborted();
      throw question.unanswered(error);
    }
  }
}
