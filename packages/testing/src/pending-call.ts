import type { CallToolRequestOptions, CallToolResult, Progress } from '@modelcontextprotocol/client';

import { Inbox, type Received } from './received.ts';

/** What the official client reports by itself, to keep a call alive while it answers the server on 2026-07-28. */
const CLIENTS_OWN_REPORT = /^Fulfilling input required by '.+' \(round \d+\)$/;

/** A tool call that is under way. */
export class PendingCall {
  /** Resolves to the result; rejects if the call failed or was cancelled. It need not be awaited. */
  readonly result: Promise<CallToolResult>;
  readonly #progress = new Inbox<Progress>('progress report');
  readonly #controller = new AbortController();

  /** Starts the call; it asks for progress. */
  constructor(call: (options: CallToolRequestOptions) => Promise<CallToolResult>) {
    const onprogress = (report: Progress): void => {
      if (!CLIENTS_OWN_REPORT.test(report.message ?? '')) this.#progress.add(report);
    };
    this.result = call({ signal: this.#controller.signal, onprogress }).finally(() => this.#progress.end());
    this.result.catch(() => undefined);
  }

  /** What the server reported of it. */
  get progress(): Received<Progress> {
    return this.#progress;
  }

  /** Tells the server that the result is not wanted any more, in the way of era and transport; {@link PendingCall.result} rejects with the reason. */
  cancel(reason = 'cancelled by its client'): void {
    this.#controller.abort(reason);
  }
}
