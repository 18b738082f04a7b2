import type { CompiledServer, CompiledTool } from '../compile/primitives.ts';
import type { ErrorListener } from './failure.ts';

/** A server object with what its class compiled to, narrowed to what this process offers. */
export interface Served {
  readonly server: object;
  readonly compiled: CompiledServer;
  readonly tools: ReadonlyMap<string, CompiledTool>;
  readonly onError: ErrorListener;
}
