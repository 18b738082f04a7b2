import type { InputRequiredResult, ServerContext } from '@modelcontextprotocol/server';

import { REQUEST_CONTEXT } from '../metadata/brand.ts';
import type { ClientRoot, ClientRoots } from './client-roots.ts';
import { loggerOf, type Logger } from './logger.ts';
import { Progress } from './progress.ts';
import { Suspension } from './suspension.ts';

type Handler<Outcome> = (context: RequestContext) => Outcome | Promise<Outcome>;

/** What a method may do besides returning a result: observe cancellation, report progress, log to and ask the client. */
export class RequestContext {
  static {
    Object.defineProperty(this, REQUEST_CONTEXT, { value: true });
  }

  /** Aborted when the client cancels, its stream closes or the server shuts down. A cancelled request is not answered. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly #progress: Progress;
  readonly #roots: () => Promise<readonly ClientRoot[] | undefined>;
  #suspension: Suspension | undefined;

  private constructor(request: ServerContext['mcpReq'], roots: () => Promise<readonly ClientRoot[] | undefined>) {
    this.signal = request.signal;
    this.log = loggerOf(request);
    this.#progress = new Progress(request);
    this.#roots = roots;
  }

  /**
   * Runs a handler with a context of its own; what it reported last is sent before its result. A handler that has to wait for
   * the client's answer is left, and whatever it returns or throws after that does not count.
   */
  static async run<Outcome>(
    request: ServerContext['mcpReq'],
    clientRoots: ClientRoots,
    handler: Handler<Outcome>,
  ): Promise<Outcome | InputRequiredResult> {
    const context = new RequestContext(request, () => clientRoots.list(request, true));
    try {
      const outcome = await handler(context);
      return context.#suspension?.result ?? outcome;
    } catch (error) {
      if (context.#suspension === undefined) throw error;
      return context.#suspension.result;
    } finally {
      context.#progress.end();
    }
  }

  /** Runs a handler in a request that cannot wait for the client's answer. */
  static async runWithoutAsking<Outcome>(
    request: ServerContext['mcpReq'],
    clientRoots: ClientRoots,
    handler: Handler<Outcome>,
  ): Promise<Outcome> {
    const context = new RequestContext(request, () => clientRoots.list(request, false));
    try {
      return await handler(context);
    } finally {
      context.#progress.end();
    }
  }

  /**
   * Reports progress; does nothing if the client did not ask for it.
   *
   * `value` must increase, in the unit of `total`; values that do not are ignored. Safe to call in a tight loop.
   */
  progress(value: number, total?: number, message?: string): void {
    this.#progress.report(value, total, message);
  }

  /**
   * The directories that the client allows; `undefined` if it has none to tell.
   *
   * On 2026-07-28 the method is left at this `await` and run again with the answer, so side effects come after it; completions
   * cannot ask there and get `undefined`.
   *
   * @throws ToolError ROOTS_REQUIRED if the client does not answer
   */
  async roots(): Promise<readonly ClientRoot[] | undefined> {
    if (this.#suspension !== undefined) throw this.#suspension;
    try {
      return await this.#roots();
    } catch (error) {
      if (Suspension.is(error)) this.#suspension = error;
      throw error;
    }
  }
}
