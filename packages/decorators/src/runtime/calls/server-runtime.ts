import type { CompiledServer, CompiledTool } from '../../compile/compiled-server.ts';
import type { Subscriptions } from '../changes/subscriptions.ts';
import type { Connection, ServerState } from '../context/connection.ts';
import type { ErrorListener, Interceptor, CallObserver } from '../hooks/hooks.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import type { StructuredMode } from './structured.ts';

/** A server object, its compiled annotations and the options that it is served with. */
export interface ServerRuntime extends ServerState {
  readonly compiled: CompiledServer;
  /** Whether a tool is enabled. Called for each list and call, because the answer may change. `undefined` if every tool is enabled. */
  readonly isToolEnabled: ((tool: CompiledTool) => boolean) | undefined;
  /** Subscriptions to resources; `undefined` if the server object cannot watch resources. */
  readonly subscriptions: Subscriptions | undefined;
  readonly structured: StructuredMode;
  readonly onError: ErrorListener;
  readonly interceptors: readonly Interceptor[];
  readonly completionRate: RateLimiter;
  /** Time limit in milliseconds of calls without a limit of their own. */
  readonly timeoutMs: number | undefined;
  readonly observer: CallObserver | undefined;
}

/** One protocol instance, as the handlers of its requests use it. */
export type ServerConnection = Connection<ServerRuntime>;
