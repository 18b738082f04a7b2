import type { CompiledServer, CompiledTool } from '../compile/primitives.ts';
import type { Consents } from './consent.ts';
import type { ErrorListener } from './failure.ts';
import type { Interceptor } from './interceptor.ts';
import type { RateLimit } from './limits/rate-limit.ts';
import { isToolLister, toolsOf } from './listed-tools.ts';
import type { CallObserver } from './observer.ts';
import type { Sealing } from './sealing.ts';
import type { SpentSeals } from './spent-seals.ts';
import type { StructuredMode } from './structured.ts';
import type { Subscriptions } from './subscriptions.ts';

/** A server object with what its class compiled to, and how it is served. */
export interface Served {
  readonly server: object;
  readonly compiled: CompiledServer;
  /** Asked at each list and call, so that what is offered may change. */
  readonly offers: (tool: CompiledTool) => boolean;
  /** There if clients can subscribe. */
  readonly subscriptions: Subscriptions | undefined;
  readonly structured: StructuredMode;
  readonly onError: ErrorListener;
  readonly interceptors: readonly Interceptor[];
  readonly sealing: Sealing;
  readonly spent: SpentSeals;
  readonly consents: Consents;
  readonly completionRate: RateLimit;
  /** For calls without a time limit of their own. */
  readonly timeoutMs: number | undefined;
  /** Told of each call. */
  readonly observer: CallObserver | undefined;
}

/** The tool of a name, if it is offered. */
export function offeredTool({ server, compiled, offers, onError }: Served, name: string): CompiledTool | undefined {
  const tool = compiled.tools.get(name) ?? toolsOf(server, compiled, onError).get(name);
  return tool !== undefined && offers(tool) ? tool : undefined;
}

/** Whether there is something to list and call, or may be. */
export function mayHaveTools({ server, compiled }: Served): boolean {
  return compiled.tools.size > 0 || isToolLister(server);
}
