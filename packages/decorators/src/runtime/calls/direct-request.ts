import type { BaseContext, JSONRPCNotification, JSONRPCRequest, RequestId, ServerContext } from '@modelcontextprotocol/server';

import type { RequestMetaParts } from '../client/envelope.ts';

type McpRequest = ServerContext['mcpReq'];

/** The parts of a connection that a request uses. */
export interface RequestPeer {
  readonly send: McpRequest['send'];
  /** Sends a notification that belongs to the call. */
  notify(notification: JSONRPCNotification): Promise<void>;
  /** Completes a request as the SDK does, which takes longer than all other steps of a short call. */
  complete(request: BaseContext['mcpReq']): McpRequest;
}

/**
 * A request that the SDK does not handle. Its signal is created when it is first read, because a signal takes longer to create than a
 * short call takes without it.
 */
export class DirectRequest implements McpRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly _meta?: NonNullable<McpRequest['_meta']>;
  readonly envelope?: NonNullable<McpRequest['envelope']>;
  readonly send: McpRequest['send'];
  readonly requestState: McpRequest['requestState'] = NO_STATE;
  readonly #peer: RequestPeer;
  #controller: AbortController | undefined;
  #aborted: { readonly reason: unknown } | undefined;

  constructor({ id, method }: JSONRPCRequest, { meta, envelope }: RequestMetaParts, peer: RequestPeer) {
    this.id = id;
    this.method = method;
    if (meta !== undefined) this._meta = meta;
    if (envelope !== undefined) this.envelope = envelope;
    this.send = peer.send;
    this.#peer = peer;
  }

  /** Whether the request was cancelled. Does not create the signal. */
  get isAborted(): boolean {
    return this.#aborted !== undefined;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#aborted !== undefined) this.#controller.abort(this.#aborted.reason);
    }
    return this.#controller.signal;
  }

  /** Aborts the signal, also if it is created later. Only the first reason counts. */
  abort(reason: unknown): void {
    this.#aborted ??= { reason };
    this.#controller?.abort(reason);
  }

  notify(notification: Parameters<McpRequest['notify']>[0]): Promise<void> {
    return this.#peer.notify({ jsonrpc: '2.0', ...notification });
  }

  log(...args: Parameters<McpRequest['log']>): ReturnType<McpRequest['log']> {
    return this.#complete().log(...args);
  }

  elicitInput(...args: Parameters<McpRequest['elicitInput']>): ReturnType<McpRequest['elicitInput']> {
    return this.#complete().elicitInput(...args);
  }

  requestSampling(...args: Parameters<McpRequest['requestSampling']>): ReturnType<McpRequest['requestSampling']> {
    return this.#complete().requestSampling(...args);
  }

  #complete(): McpRequest {
    const { id, method, send, requestState, signal, _meta, envelope } = this;
    return this.#peer.complete({
      id,
      method,
      send,
      requestState,
      signal,
      notify: (notification) => this.notify(notification),
      ...(_meta !== undefined && { _meta }),
      ...(envelope !== undefined && { envelope }),
    });
  }
}

const NO_STATE = (): undefined => undefined;

/** Returns whether a request was cancelled. */
export function isCancelled(request: McpRequest): boolean {
  return request instanceof DirectRequest ? request.isAborted : request.signal.aborted;
}
