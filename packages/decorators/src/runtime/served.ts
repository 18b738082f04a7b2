import type { CompiledServer, CompiledTool } from '../compile/primitives.ts';
import type { ErrorListener } from './failure.ts';
import type { ResourceWatcher } from './subscriptions.ts';

/** A server object with what its class compiled to, narrowed to what this process offers. */
export interface Served {
  readonly server: object;
  readonly compiled: CompiledServer;
  readonly tools: ReadonlyMap<string, CompiledTool>;
  /** There if clients can subscribe. */
  readonly watcher: ResourceWatcher | undefined;
  readonly onError: ErrorListener;
}
