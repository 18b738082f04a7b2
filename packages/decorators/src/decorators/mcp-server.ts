import { annotateServer } from '../metadata/annotation.ts';
import type { Constructor } from '../metadata/lineage.ts';
import { refuseMissingParentheses, refuseStandardDecorator } from '../metadata/misuse.ts';
import type { McpServerOptions } from '../metadata/options.ts';

/**
 * Declares a class as an MCP server. On a subclass, changes only the options that are given; the options `tools`, `prompts` and
 * `resources` change, remove or restore inherited members.
 *
 * Mistakes in the class are reported together when it is compiled, before it is served.
 */
export function McpServer(options: McpServerOptions): (target: Constructor) => void {
  refuseMissingParentheses('@McpServer', typeof options === 'function' ? Reflect.get(options, 'prototype') : options);
  return (target, context?: unknown) => {
    refuseStandardDecorator(context, '@McpServer');
    annotateServer(target.prototype, options);
  };
}
