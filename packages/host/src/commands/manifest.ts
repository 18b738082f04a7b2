import { withoutOutputSchema } from '@org/mcp-decorators';

import type { Command } from './command.ts';

export const manifest: Command = {
  summary: 'Print the JSON of tools/list',
  run({ create, print }) {
    const { compiled, serving } = create();
    const offered = [...compiled.tools.values()].filter(serving.offers).map(({ definition }) => definition);
    const tools = serving.structured === 'never' ? offered.map(withoutOutputSchema) : offered;
    print(JSON.stringify({ tools }, undefined, 2));
    return Promise.resolve(0);
  },
};
