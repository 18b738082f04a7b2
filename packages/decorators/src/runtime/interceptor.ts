import type { RequestContext } from './request-context.ts';
import { unattended } from './unattended.ts';

/** A call of a tool, prompt or resource, as an {@link Interceptor} sees it. */
export interface InterceptedCall {
  /** What is called. */
  readonly kind: 'tool' | 'prompt' | 'resource';
  /** The tool's, prompt's or resource's name on the wire. */
  readonly name: string;
  /** The validated input as the method gets it; `undefined` if it takes none. */
  readonly input: unknown;
  /** The method's own. */
  readonly context: RequestContext;
}

/**
 * Stands around the calls of methods, for instance to audit them. Its result is the call's, usually that of `next()`, which
 * resolves to what the method returned and rejects with what it threw.
 *
 * A call that has to wait for an answer of the client rejects with a `Suspension` and comes again with the answer. What else an
 * interceptor throws ends the call as if its method had thrown it.
 */
export type Interceptor = (call: InterceptedCall, next: () => Promise<unknown>) => unknown;

/** What a server object or a feature implements to stand around the calls of its own methods and of features within it. */
export interface Intercepting {
  /** Called as a method, for each call that was admitted and whose input is valid. */
  intercept: Interceptor;
}

/** Runs the call within all interceptors, the first outermost. */
export async function runWithin(
  interceptors: readonly Interceptor[],
  call: InterceptedCall,
  run: () => unknown,
): Promise<unknown> {
  const [first, ...inner] = interceptors;
  return first === undefined ? run() : first(call, () => unattended(runWithin(inner, call, run)));
}

/** The interceptor that an object implements. */
export function interceptorOf(owner: object): Interceptor | undefined {
  return isIntercepting(owner) ? (call, next) => owner.intercept(call, next) : undefined;
}

function isIntercepting(owner: object): owner is Intercepting {
  return 'intercept' in owner && typeof owner.intercept === 'function';
}
