import { eachTransport, type CaseOptions, type ElicitationAnswer, type Session, type TransportCase } from '@org/mcp-testing';
import { afterAll, beforeAll } from 'vitest';

import { compiledProgram } from '../support/compiled-program.ts';
import { ConformanceServer } from './conformance-server.ts';

type Case = TransportCase<(given: CaseOptions) => Promise<Session>>;

/** The conformance server, over each transport of `eachTransport` in both eras. */
export const CASES: readonly Case[] = eachTransport({
  server: () => new ConformanceServer(),
  program: () => compiledProgram(new URL('conformance-program.ts', import.meta.url)),
});

export const LEGACY: readonly Case[] = CASES.filter(({ era }) => era === 'legacy');
export const MODERN: readonly Case[] = CASES.filter(({ era }) => era === 'modern');

/** The answers of the user, by the message of the form. */
const ANSWERS: Readonly<Record<string, ElicitationAnswer>> = {
  'What is your name?': { name: 'Ada' },
  'Step 1: What is your name?': { name: 'Ada' },
  'Step 2: What is your favorite color?': { color: 'red' },
  'Please confirm': { ok: true },
  'Who?': { response: 'Ada' },
  'What do you say?': 'decline',
  'What context should the prompt use?': { context: 'a test' },
  'Please review and update the form fields with defaults': { name: 'Ada' },
  'Please select options from the enum fields': {
    untitledSingle: 'option1',
    titledSingle: 'value2',
    legacyEnum: 'opt3',
    untitledMulti: ['option2'],
    titledMulti: ['value1', 'value3'],
  },
};

/**
 * Options of a client that supports every input request. The server remembers the roots of this client for 5 seconds, so it
 * requests the roots only once for calls within this time.
 */
export const ANSWERING: CaseOptions = {
  capabilities: { roots: {} },
  roots: () => [{ uri: 'file:///home/ada' }, { uri: 'file:///srv' }],
  answers: { sampling: 'Paris', elicitation: ({ message }) => ANSWERS[message] ?? 'cancel' },
};

/** Opens one session of an answering client for all tests of a `describe`, so that not each test starts a process. */
export function sharedSession({ connect }: Case): () => Session {
  let shared: Session | undefined;
  beforeAll(async () => {
    shared = await connect(ANSWERING);
  });
  afterAll(() => shared?.[Symbol.asyncDispose]());
  return () => {
    if (shared === undefined) throw new Error('the session is not open');
    return shared;
  };
}
