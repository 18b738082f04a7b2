import type { CompiledServer } from '@org/mcp-decorators';

import type { Diagnosis } from '../server-object.ts';
import type { Command } from './command.ts';

export const check: Command = {
  summary: 'Check the definition, the options and what they name; exit 1 if something is wrong',
  async run({ create, print, log }) {
    const { server, compiled, options } = create();
    try {
      await server.open?.();
      // A server over stdio starts without it.
      const { diagnoseHttp } = await import('../http/diagnose-http.ts');
      const diagnoses = [definition(compiled), ...((await server.diagnose?.()) ?? []), ...(await diagnoseHttp(options, log))];
      print([`${compiled.info.name} ${compiled.info.version}`, ...diagnoses.map(line)].join('\n'));
      return diagnoses.every(({ ok }) => ok) ? 0 : 1;
    } finally {
      await server[Symbol.asyncDispose]?.();
    }
  },
};

function definition({ tools, resources, templates, prompts }: CompiledServer): Diagnosis {
  const counts = { tools: tools.size, resources: resources.size, 'resource templates': templates.length, prompts: prompts.size };
  const detail = Object.entries(counts).map(([name, count]) => `${count} ${count === 1 ? name.slice(0, -1) : name}`);
  return { subject: 'definition', ok: true, detail: detail.join(', ') };
}

function line({ subject, ok, detail }: Diagnosis): string {
  return `${ok ? 'ok    ' : 'wrong '} ${subject}: ${detail}`;
}
