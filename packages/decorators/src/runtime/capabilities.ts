import type { ServerCapabilities } from '@modelcontextprotocol/server';

import type { Served } from './served.ts';

/** What a server declares: what its class has something for. Any of its lists may change. */
export function capabilitiesOf({ compiled, subscriptions }: Served): ServerCapabilities {
  const { tools, resources, templates, prompts, completions } = compiled;
  return {
    logging: {},
    ...(tools.size > 0 && { tools: { listChanged: true } }),
    ...(resources.size + templates.length > 0 && { resources: { listChanged: true, subscribe: subscriptions !== undefined } }),
    ...(prompts.size > 0 && { prompts: { listChanged: true } }),
    ...(completions.size > 0 && { completions: {} }),
  };
}
