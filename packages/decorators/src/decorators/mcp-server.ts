import { annotateServer } from '../metadata/annotation.ts';
import type { Constructor } from '../metadata/lineage.ts';
import type { McpServerOptions } from '../metadata/options.ts';

/**
 * Declares a class as an MCP server. On a subclass, changes only the options that are given; the tables `tools`, `prompts` and
 * `resources` change or remove inherited members.
 *
 * Mistakes in the class are reported together when it is compiled, before it is served.
 */
export function McpServer(options: McpServerOptions): (target: Constructor) => void {
  return (target) => annotateServer(target.prototype, options);
}
