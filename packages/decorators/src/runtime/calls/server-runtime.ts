import type { CompiledServer } from '../../compile/compiled-server.ts';
import type { AcceptedEnvelopes } from '../client/envelope.ts';
import type { Subscriptions } from '../changes/subscriptions.ts';
import type { Connection, ServerState } from '../context/connection.ts';
import type { ErrorListener, Interceptor, CallObserver } from '../hooks/hooks.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import type { OfferedTools } from '../lists/offered-tools.ts';
import type { ResourceLister } from '../lists/resource-listers.ts';

/** A server object, its compiled annotations and the options that it is served with. */
export interface ServerRuntime extends ServerState {
  readonly compiled: CompiledServer;
  /** The tools that clients see. */
  readonly tools: OfferedTools;
  /** Objects that list resources which their classes do not declare. */
  readonly resourceListers: readonly ResourceLister[];
  /** Subscriptions to resources; `undefined` if the server object cannot watch resources. */
  readonly subscriptions: Subscriptions | undefined;
  readonly onError: ErrorListener;
  readonly interceptors: readonly Interceptor[];
  readonly completionRate: RateLimiter;
  readonly envelopes: AcceptedEnvelopes;
  /** Time limit in milliseconds of calls without a limit of their own. */
  readonly timeoutMs: number | undefined;
  readonly observer: CallObserver | undefined;
}

/** One protocol instance, as the handlers of its requests use it. */
export type ServerConnection = Connection<ServerRuntime>;
