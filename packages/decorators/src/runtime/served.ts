import type { CompiledServer, CompiledTool, ToolDefinition } from '../compile/primitives.ts';
import type { ErrorListener } from './failure.ts';
import type { Interceptor } from './interceptor.ts';
import type { RateLimit } from './limits/rate-limit.ts';
import type { CallObserver } from './observer.ts';
import type { Sealing } from './sealing.ts';
import type { Subscriptions } from './subscriptions.ts';

/** A server object with what its class compiled to, and how it is served. */
export interface Served {
  readonly server: object;
  readonly compiled: CompiledServer;
  /** Asked at each list and call, so that what is offered may change. */
  readonly offers: (tool: ToolDefinition) => boolean;
  /** There if clients can subscribe. */
  readonly subscriptions: Subscriptions | undefined;
  /** Whether results carry structured content. */
  readonly structured: boolean;
  readonly onError: ErrorListener;
  readonly interceptors: readonly Interceptor[];
  readonly sealing: Sealing;
  readonly completionRate: RateLimit;
  /** For calls without a time limit of their own. */
  readonly timeoutMs: number | undefined;
  /** Told of each call. */
  readonly observer: CallObserver | undefined;
}

/** The tool of a name, if it is offered. */
export function offeredTool({ compiled, offers }: Served, name: string): CompiledTool | undefined {
  const tool = compiled.tools.get(name);
  return tool !== undefined && offers(tool.definition) ? tool : undefined;
}
