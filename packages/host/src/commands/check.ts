import type { CompiledServer } from '@org/mcp-decorators';

import type { Created } from '../created.ts';
import type { Diagnosis } from '../server-object.ts';
import type { Command } from './command.ts';

export const check: Command = {
  summary: 'Check the definition, the options and what they name; exit 1 if something is wrong',
  async run({ create, print, log }) {
    const created = create();
    const { server, compiled, options } = created;
    try {
      await server.open?.();
      // A server over stdio starts without it.
      const { diagnoseHttp } = await import('../http/diagnose-http.ts');
      const diagnoses = [
        definition(compiled),
        ...consent(created),
        ...((await server.diagnose?.()) ?? []),
        ...(await diagnoseHttp(options, log)),
      ];
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

/** Returns nothing if no offered tool takes a token of a dry run. */
function consent({ compiled: { tools }, serving, options: { confirm } }: Created): readonly Diagnosis[] {
  const offered = [...tools.values()].filter(serving.offers);
  const isConfirmed = offered.some(({ definition: { inputSchema } }) => 'confirm_token' in (inputSchema.properties ?? {}));
  return isConfirmed ? [{ subject: 'confirmation', ok: true, detail: CONSENT[confirm] }] : [];
}

const CONSENT = {
  ask: 'by the user, in a dialogue of the client; a client without dialogues confirms by token',
  token: 'by token alone; the model decides, unless the client asks the user before it calls a tool',
};

function line({ subject, ok, detail }: Diagnosis): string {
  return `${ok ? 'ok    ' : 'wrong '} ${subject}: ${detail}`;
}
