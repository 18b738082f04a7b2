import type { ServerInstance } from '../../server/server-instance.ts';
import { diagnoseServer, disposeServer, openServer, type Diagnosis } from '../../process/server-object.ts';
import type { Command } from './command.ts';

export const check: Command = {
  summary:
    'Check the server definition, the options, and the files, directories and services that the options name; exit with 1 on a problem',
  async run({ create, print, log }) {
    const instance = await create();
    const { server, features, compiled } = instance;
    try {
      await openServer(server, undefined, features);
      // Loaded only when needed, so that a stdio server starts faster.
      const { diagnoseHttp } = await import('../../http/serve-over-http.ts');
      const diagnoses = [
        describeDefinition(instance),
        ...describeConfirmation(instance),
        ...(await diagnoseServer(server, features)),
        ...(await diagnoseHttp(instance, log)),
      ];
      print([`${compiled.info.name} ${compiled.info.version}`, ...diagnoses.map(formatLine)].join('\n'));
      return diagnoses.every(({ ok }) => ok) ? 0 : 1;
    } finally {
      await disposeServer(server, features);
    }
  },
};

function describeDefinition({ tools, compiled }: ServerInstance): Diagnosis {
  const { resources, templates, prompts } = compiled;
  const counts = {
    tools: tools.list().length,
    resources: resources.size,
    'resource templates': templates.length,
    prompts: prompts.size,
  };
  const detail = Object.entries(counts).map(([name, count]) => `${count} ${count === 1 ? name.slice(0, -1) : name}`);
  return { subject: 'definition', ok: true, detail: detail.join(', ') };
}

/** Returns the line of `check` about confirmations, or no line if no offered tool accepts a confirmation token. */
function describeConfirmation({ tools, options: { confirm } }: ServerInstance): readonly Diagnosis[] {
  const usesTokens = tools.list().some(({ definition: { inputSchema } }) => 'confirm_token' in (inputSchema.properties ?? {}));
  return usesTokens ? [{ subject: 'confirmation', ok: true, detail: CONFIRMATION[confirm] }] : [];
}

const CONFIRMATION = {
  ask: 'by the user, in a dialog of the client; by token if the client has no dialogs',
  token: 'always by token: the model decides, unless the client asks the user before it calls a tool',
};

function formatLine({ subject, ok, detail }: Diagnosis): string {
  return `${ok ? 'ok    ' : 'wrong '} ${subject}: ${detail}`;
}
