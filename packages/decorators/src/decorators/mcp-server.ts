import { annotateServer } from '../metadata/annotation.ts';
import type { McpServerOptions } from '../metadata/options.ts';
import type { Constructor } from '../metadata/lineage.ts';

/**
 * Names a class as an MCP server. On a subclass it changes only the options it gives; its tables `tools`, `prompts` and
 * `resources` change or remove what the subclass inherits.
 *
 * Decorates a class; mistakes in the class are reported together when it is compiled, before it is served.
 */
export function McpServer(options: McpServerOptions): (target: Constructor) => void {
  return (target) => annotateServer(target.prototype, options);
}
