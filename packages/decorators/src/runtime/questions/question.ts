import type { InputRequest, InputRequiredResult, inputResponse } from '@modelcontextprotocol/server';

import { ToolError } from '../../errors.ts';
import type { Suspension } from './suspension.ts';

/** A client's answer, told apart by its form; `missing` if there is none, or none that can be read. */
export type Response = ReturnType<typeof inputResponse>;

/** The answer as the method gets it, or why the question has to be asked again; `problem` is shown to whoever answers. */
export type Reading<Answer> =
  { readonly kind: 'answer'; readonly answer: Answer } | { readonly kind: 'unusable'; readonly problem?: string };

/** Something the client is asked while a method runs. */
export interface Question<Answer> {
  /** Names the question within its call. */
  readonly key: string;
  /** What a client has to declare to be asked. */
  readonly capability: 'elicitation' | 'sampling' | 'roots';
  /** What is sent; `problem` is what was wrong with the answer before. */
  request(problem?: string): InputRequest;
  read(response: Response): Reading<Answer> | Promise<Reading<Answer>>;
  /** The error of a question that got no answer. */
  unanswered(cause: unknown): ToolError;
}

/** How the client is asked, in the way of its era. */
export interface Questions {
  /** There once the handler has to be left; whatever it does after that does not count. */
  readonly suspension: Suspension | undefined;
  ask<Answer>(question: Question<Answer>): Promise<Answer>;
  /** What the client is answered with if the handler has to be left; `undefined` if it does not. */
  leave(): Promise<InputRequiredResult> | undefined;
}

/** An unusable answer is asked for again, so often in all. */
export const MAX_ATTEMPTS = 3;

/** The error of a question whose answers could not be used. */
export function unusableAnswer(key: string, problem: string | undefined): ToolError {
  return new ToolError('INVALID_ANSWER', `the answer to "${key}" cannot be used${problem === undefined ? '' : `\n${problem}`}`);
}
