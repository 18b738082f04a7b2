import { inputRequired } from '@modelcontextprotocol/server';

import { ToolError } from '../../errors.ts';
import type { Question } from './question.ts';

/** A directory that the client allows, as a `file:` URI. */
export interface ClientRoot {
  /** As the client wrote it: not checked, and perhaps of nothing that exists. */
  readonly uri: string;
  /** As people read it. */
  readonly name?: string | undefined;
}

export const CLIENT_ROOTS: Question<readonly ClientRoot[]> = {
  key: 'client_roots',
  capability: 'roots',
  request: () => inputRequired.listRoots(),
  read: (response) => (response.kind === 'roots' ? { kind: 'answer', answer: response.roots } : { kind: 'unusable' }),
  unanswered: (cause) => new ToolError('ROOTS_REQUIRED', 'the client did not say which directories it allows', { cause }),
};

/** The roots that the client of a session told, for as long as it promised to say when they change. */
export class KnownRoots {
  #roots: readonly ClientRoot[] | undefined;
  #changes = 0;

  get roots(): readonly ClientRoot[] | undefined {
    return this.#roots;
  }

  /** How often they have changed; what was asked for before the last change is out of date. */
  get changes(): number {
    return this.#changes;
  }

  keep(roots: readonly ClientRoot[]): void {
    this.#roots = roots;
  }

  forget(): void {
    this.#roots = undefined;
    this.#changes += 1;
  }
}
