import { ProtocolError } from '@modelcontextprotocol/server';

import { ToolError } from '../errors.ts';

/** A call that a {@link CallObserver} is told of. */
export interface ObservedCall {
  /** What is called, or completed. */
  readonly kind: 'tool' | 'prompt' | 'resource' | 'completion';
  /**
   * The name on the wire of the tool, prompt, resource or resource template; of a completion, the prompt's name or the URI template.
   * Never one that a client made up.
   */
  readonly name: string;
}

/**
 * Told of each call as it begins; what it returns is told how it ended, once, before the answer is sent: `ok`, `asked` (the client
 * has to answer a question first, and on 2026-07-28 calls again), `cancelled`, or the code of the error, which is that of a
 * `ToolError`, `PROTOCOL_ERROR`, `TOOL_ERROR` for a result that the method itself marked as one, or `INTERNAL`.
 *
 * Calls of what the server has not, or does not offer, are no calls. It must not throw.
 */
export type CallObserver = (call: ObservedCall) => (outcome: string) => void;

/** The end of a call whose client has to be asked first. */
export const ASKED = 'asked';
/** The end of a call that was answered with an error of the protocol. */
export const PROTOCOL_ERROR = 'PROTOCOL_ERROR';

/** How a call ended that threw; a tool has no errors of the protocol. */
export function outcomeOfError({ kind }: ObservedCall, error: unknown): string {
  if (ToolError.is(error)) return error.code;
  return error instanceof ProtocolError && kind !== 'tool' ? PROTOCOL_ERROR : 'INTERNAL';
}

/** How a call ended that has a result. */
export function outcomeOfResult(result: unknown): string {
  return isToolFailure(result) ? 'TOOL_ERROR' : 'ok';
}

/** A result by which a tool says that it failed. */
export function isToolFailure(result: unknown): boolean {
  return typeof result === 'object' && result !== null && 'isError' in result && result.isError === true;
}
