import type { RequestContext } from '../context/request-context.ts';

/** A call of a tool, prompt or resource. */
export interface InterceptedCall {
  /** Kind of the primitive. */
  readonly kind: 'tool' | 'prompt' | 'resource';
  /** Name of the tool, prompt or resource on the wire. */
  readonly name: string;
  /** Validated input of the method; `undefined` if the method takes no input. */
  readonly input: unknown;
  /** Context of the method. */
  readonly context: RequestContext;
}

/**
 * Runs instead of a method and calls the method by `next()`, for instance to audit calls. `next()` resolves to the method's
 * result and rejects with its error. The interceptor's result becomes the result of the call. If the method waits for input from
 * the client, `next()` rejects with a `Suspension`, and the call is retried with the answer. Any other error of an interceptor
 * ends the call like an error of the method.
 */
export type Interceptor = (call: InterceptedCall, next: () => Promise<unknown>) => unknown;

/** Implemented by a server object or a feature that intercepts the calls of its own methods and of its features. */
export interface Intercepting {
  /**
   * Called for each call that passed the rate limit and whose input is valid. The method of a subclass runs around the method of its
   * base class, which `next` calls, so it does not call `super.intercept`.
   */
  intercept: Interceptor;
}

/** A call that a {@link CallObserver} is notified of. */
export interface ObservedCall {
  /** Kind of the primitive, or a completion. */
  readonly kind: 'tool' | 'prompt' | 'resource' | 'completion';
  /**
   * Wire name of the tool, prompt, resource or resource template. For a completion, the prompt's name or the URI
   * template. Never contains text from a client.
   */
  readonly name: string;
}

/**
 * Called at the start of each call. The returned function is called once with the outcome, before the response is sent:
 * `ok`, `asked` (the client has to answer a question first; on 2026-07-28 the client then calls again), `cancelled`, or
 * an error code. Error codes are the codes of a `ToolError`, `PROTOCOL_ERROR`, `TOOL_ERROR` for a result that the
 * method itself marked as an error, and `INTERNAL`.
 * Not called for unknown or disabled primitives. Must not throw.
 */
export type CallObserver = (call: ObservedCall) => (outcome: string) => void;

/** Receives every error that is hidden from the client, with the `Class.method` that it came from. */
export type ErrorListener = (error: unknown, place: string) => void;

/** Returns the listener for hidden errors of a request. Errors after a cancellation are its consequence and are ignored. */
export function getReporter(onError: ErrorListener, signal: AbortSignal): ErrorListener {
  return signal.aborted ? () => undefined : onError;
}
