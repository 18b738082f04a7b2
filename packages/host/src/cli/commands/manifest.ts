import { withoutOutputSchema } from '@org/mcp-decorators';

import { disposeServer } from '../../process/server-object.ts';
import type { Command } from './command.ts';

export const manifest: Command = {
  summary: 'Print the result of tools/list as JSON',
  async run({ create, print }) {
    const { server, features, tools: offeredTools, factoryOptions } = await create();
    const offered = offeredTools.list().map(({ definition }) => definition);
    await disposeServer(server, features);
    const tools = factoryOptions.structured === 'never' ? offered.map(withoutOutputSchema) : offered;
    print(JSON.stringify({ tools }, undefined, 2));
    return 0;
  },
};
