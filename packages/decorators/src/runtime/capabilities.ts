import type { ServerCapabilities } from '@modelcontextprotocol/server';

import { mayHaveTools, type Served } from './served.ts';

/** What a server declares: what its class has something for. Any of its lists may change. */
export function capabilitiesOf(served: Served): ServerCapabilities {
  const { compiled, subscriptions } = served;
  const { resources, templates, prompts, completions, extensions, experimental } = compiled;
  return {
    logging: {},
    ...(extensions && { extensions }),
    ...(experimental && { experimental }),
    ...(mayHaveTools(served) && { tools: { listChanged: true } }),
    ...(resources.size + templates.length > 0 && { resources: { listChanged: true, subscribe: subscriptions !== undefined } }),
    ...(prompts.size > 0 && { prompts: { listChanged: true } }),
    ...(completions.size > 0 && { completions: {} }),
  };
}
