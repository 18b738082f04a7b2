import type { Command } from './command.ts';

export const manifest: Command = {
  summary: 'Print the JSON of tools/list',
  run({ compiled, offers, print }) {
    const tools = [...compiled.tools.values()].map(({ definition }) => definition).filter(offers);
    print(JSON.stringify({ tools }, undefined, 2));
    return Promise.resolve(0);
  },
};
