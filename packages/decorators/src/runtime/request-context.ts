import type { ServerContext } from '@modelcontextprotocol/server';

import { REQUEST_CONTEXT } from '../metadata/brand.ts';
import { loggerOf, type Logger } from './logger.ts';
import { Progress } from './progress.ts';

/** What a method may do besides returning a result: observe cancellation, report progress, log to the client. */
export class RequestContext {
  static {
    Object.defineProperty(this, REQUEST_CONTEXT, { value: true });
  }

  /** Aborted when the client cancels, its stream closes or the server shuts down. A cancelled request is not answered. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly #progress: Progress;

  private constructor(request: ServerContext['mcpReq']) {
    this.signal = request.signal;
    this.log = loggerOf(request);
    this.#progress = new Progress(request);
  }

  /** Runs a handler with a context of its own; what it reported last is sent before its result. */
  static async run<Outcome>(
    request: ServerContext['mcpReq'],
    handler: (context: RequestContext) => Outcome | Promise<Outcome>,
  ): Promise<Outcome> {
    const context = new RequestContext(request);
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
}
