import type { Command } from './command.ts';

export const manifest: Command = {
  summary: 'Print the JSON of tools/list',
  run({ create, print }) {
    const { compiled, offers } = create();
    const tools = [...compiled.tools.values()].map(({ definition }) => definition).filter(offers);
    print(JSON.stringify({ tools }, undefined, 2));
    return Promise.resolve(0);
  },
};
