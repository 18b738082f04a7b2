import type { Session } from '@org/mcp-testing';

import { hostileTexts, nameOf } from './hostile-texts.ts';
import type { Request } from './stalls.ts';
import { stringPlaces, usualObject, type Schema, type StringPlace, type UsualValues } from './string-places.ts';

/** A place for a text in a request: its name in failures, and a function that sends the request with a text at this place. */
interface Place {
  readonly name: string;
  readonly send: (session: Session, text: string) => Promise<unknown>;
}

/** Returns requests with hostile texts in every text argument of a server. */
export async function hostileRequests({ client }: Session, usual: UsualValues): Promise<readonly Request[]> {
  const places = [
    ...(await toolPlaces(client, usual)),
    ...(await promptPlaces(client, usual)),
    ...(await resourcePlaces(client, usual)),
    ...NAMES,
  ];
  return places.flatMap(({ name, send }) =>
    hostileTexts().map((text) => ({ name: `${name} ${nameOf(text)}`, send: (session) => send(session, text) })),
  );
}

type Client = Session['client'];

async function toolPlaces(client: Client, usual: UsualValues): Promise<readonly Place[]> {
  const { tools } = await client.listTools();
  return tools.flatMap(({ name, inputSchema }) => {
    const schema = inputSchema as Schema;
    const unknown: StringPlace = {
      path: ' with an unknown parameter',
      withText: (text) => ({ ...usualObject(schema, usual), [text]: 1 }),
    };
    return [...stringPlaces(schema, usual), unknown].map(({ path, withText }) => ({
      name: `${name}${path}`,
      send: (session: Session, text: string) =>
        session.client.callTool({ name, arguments: withText(text) as Record<string, unknown> }),
    }));
  });
}

async function promptPlaces(client: Client, usual: UsualValues): Promise<readonly Place[]> {
  const { prompts } = await client.listPrompts();
  return prompts.flatMap(({ name, arguments: declared = [] }) => {
    const required = declared.filter((argument) => argument.required === true).map((argument) => argument.name);
    const others = Object.fromEntries(required.map((argument) => [argument, usualText(usual, argument)]));
    return declared.flatMap((argument): readonly Place[] => [
      {
        name: `prompt ${name}.${argument.name}`,
        send: (session, text) => session.client.getPrompt({ name, arguments: { ...others, [argument.name]: text } }),
      },
      completion({ type: 'ref/prompt', name }, `prompt ${name}`, argument.name, Object.keys(others)),
    ]);
  });
}

async function resourcePlaces(client: Client, given: UsualValues): Promise<readonly Place[]> {
  const { resourceTemplates } = await client.listResourceTemplates();
  const places = await Promise.all(
    resourceTemplates.map(async ({ uriTemplate }) => {
      const names = variablesOf(uriTemplate);
      const usual = await completed(client, { uriTemplate, names }, given);
      const withRaw = (text: string): string =>
        expanded(uriTemplate, usual, Object.fromEntries(names.map((name) => [name, text])));
      return [
        ...names.flatMap((name) => variablePlaces(uriTemplate, name, usual)),
        {
          name: `resource ${uriTemplate} with raw text`,
          send: (session: Session, text: string) => read(session, withRaw(text)),
        },
      ];
    }),
  );
  return places.flat();
}

function variablePlaces(uriTemplate: string, name: string, usual: UsualValues): readonly Place[] {
  return [
    {
      name: `resource ${uriTemplate} {${name}}`,
      send: (session, text) => read(session, expanded(uriTemplate, usual, { [name]: encodeURIComponent(text) })),
    },
    completion({ type: 'ref/resource', uri: uriTemplate }, `resource ${uriTemplate}`, name, variablesOf(uriTemplate)),
  ];
}

function variablesOf(uriTemplate: string): readonly string[] {
  return Array.from(uriTemplate.matchAll(VARIABLES), ([, , names = '']) => names.split(',')).flat();
}

const VARIABLES = /\{([+?]?)([^{}]*)\}/g;

interface Template {
  readonly uriTemplate: string;
  readonly names: readonly string[];
}

/**
 * Returns values for all variables of a URI template: the first completion of the server, or a usual value if there is no
 * completion. If one variable has a hostile value, the other variables have these values.
 */
async function completed(client: Client, { uriTemplate, names }: Template, given: UsualValues): Promise<UsualValues> {
  const values: Record<string, string> = {};
  const ref = { type: 'ref/resource', uri: uriTemplate } as const;
  for (const name of names) {
    const found = await client
      .complete({ ref, argument: { name, value: '' }, context: { arguments: values } })
      .catch(() => undefined);
    values[name] = found?.completion.values[0] ?? usualText(given, name);
  }
  return values;
}

type Reference = Parameters<Client['complete']>[0]['ref'];

function completion(ref: Reference, owner: string, name: string, names: readonly string[]): Place {
  return {
    name: `completion of ${owner} {${name}}`,
    send: async ({ client }, text) => {
      const others = Object.fromEntries(names.filter((other) => other !== name).map((other) => [other, text]));
      const argument = { name, value: text };
      await client.complete({ ref, argument });
      await client.complete({ ref, argument, context: { arguments: others } });
    },
  };
}

function expanded(template: string, usual: UsualValues, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(VARIABLES, (_, kind: string, names: string) => {
    const texts = names.split(',').map((name) => [name, values[name] ?? usualText(usual, name)]);
    return kind === '?' ? `?${texts.map((pair) => pair.join('=')).join('&')}` : (texts[0]?.[1] ?? '');
  });
}

function usualText(usual: UsualValues, name: string): string {
  const value = usual[name];
  return typeof value === 'string' ? value : 'x';
}

function read({ client }: Session, uri: string): Promise<unknown> {
  return client.readResource({ uri });
}

/** Places in requests that every server answers. */
const NAMES: readonly Place[] = [
  { name: 'the name of a tool', send: ({ client }, name) => client.callTool({ name, arguments: {} }) },
  { name: 'the name of a prompt', send: ({ client }, name) => client.getPrompt({ name }) },
  { name: 'a resource', send: (session, uri) => read(session, uri) },
  { name: 'a subscribed resource', send: ({ client }, uri) => client.subscribeResource({ uri }) },
  { name: 'the cursor of a list', send: ({ client }, cursor) => client.listTools({ cursor }) },
];
