import { disposeServer } from '../../process/server-object.ts';
import { describeToolSets } from '../../server/tool-sets.ts';
import type { Command } from './command.ts';

export const list: Command = {
  summary: 'List the tools, resources and prompts',
  async run({ create, print }) {
    const { server, features, compiled, tools: offered } = await create();
    const tools = offered.list().map(({ definition }) => definition);
    await disposeServer(server, features);
    const resources = [...compiled.resources.values()].map(({ definition }) => ({ ...definition, name: definition.uri }));
    const templates = compiled.templates.map(({ definition }) => ({ ...definition, name: definition.uriTemplate }));
    const prompts = [...compiled.prompts.values()].map(({ definition }) => definition);
    const sets = describeToolSets(compiled).map(([name, names]) => ({ name, description: names }));
    const sections = [
      section('Tools', tools),
      section('Tool sets', sets),
      section('Resources', [...resources, ...templates]),
      section('Prompts', prompts),
    ];
    print(sections.filter((text) => text !== '').join('\n\n'));
    return 0;
  },
};

interface Listed {
  readonly name: string;
  readonly description?: string;
}

function section(title: string, entries: readonly Listed[]): string {
  if (entries.length === 0) return '';
  const width = Math.max(...entries.map(({ name }) => name.length));
  return [title, ...entries.map(({ name, description = '' }) => `  ${name.padEnd(width)}  ${description}`.trimEnd())].join('\n');
}
