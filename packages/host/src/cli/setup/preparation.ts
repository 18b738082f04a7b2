import { findNearestName } from '@org/mcp-decorators';

import { UsageError } from '../../process/usage-error.ts';
import type { Machine } from '../../process/machine.ts';
import type { Option } from '../../options/option.ts';
import { readConfigProperties } from '../../options/read-options.ts';
import { checkDirectories } from './check-directories.ts';
import { mergeEntry, type Client } from './client.ts';
import { CLIENTS } from './clients.ts';
import type { Change } from './edit-configuration.ts';
import { createEntry, type Entry } from './entry.ts';
import type { Invocation } from './invocation.ts';
import { findProgram } from './program.ts';

/** The entry for a client, and the changes to its configuration file. */
export interface Preparation {
  readonly client: Client;
  /** Name of the entry. */
  readonly name: string;
  /** Path of the configuration file. */
  readonly file: string;
  readonly entry: Entry;
  readonly changes: readonly Change[];
  /** Next steps for the user, one sentence each. */
  readonly advice: readonly string[];
}

const TOKEN_ADVICE =
  'With --confirm token, the server does not ask the user: configure the client to ask before it calls a destructive tool.';

/**
 * Prepares the entry for a client.
 *
 * @throws UsageError for an unknown client, an invalid `--name`, `--http`, or a path that is not a directory
 */
export async function prepare(invocation: Invocation, machine: Machine): Promise<Preparation> {
  const client = findClient(invocation.operand);
  const warnings = await checkDirectories(invocation, machine);
  const adapted = await adaptToClient(client, invocation, machine);
  const name = readEntryName(invocation);
  const entry = createEntry(await findProgram(machine), adapted, machine);
  return {
    client,
    name,
    file: client.file(machine),
    entry,
    changes: createChanges(client, name, entry, machine),
    advice: [
      ...warnings,
      ...(adapted === invocation ? [] : [explainRootsOption(client)]),
      ...Object.keys(entry.secrets).flatMap((variable) => client.secret?.advice(variable) ?? []),
      ...(Reflect.get(invocation.chosen, 'confirm') === 'token' ? [TOKEN_ADVICE] : []),
      client.next,
      ...(client.command === undefined
        ? []
        : [`Alternatively, add the server only for yourself in this project: ${client.command(name, entry, machine)}`]),
    ],
  };
}

/** Returns the name of the entry: `--name`, or the name of the server. @throws UsageError if a client may not accept the name */
export function readEntryName({ arguments: { name }, server }: Pick<Invocation, 'arguments' | 'server'>): string {
  if (name === undefined || /^[a-zA-Z0-9][\w-]{0,63}$/.test(name)) return name ?? server;
  throw new UsageError(
    `--name: expected 1 to 64 letters, digits, hyphens and underscores, got ${JSON.stringify(name.slice(0, 80))}`,
  );
}

export function findClient(name: string | undefined): Client {
  const known = Object.keys(CLIENTS);
  const client = name !== undefined && Object.hasOwn(CLIENTS, name) ? CLIENTS[name] : undefined;
  if (client !== undefined) return client;
  if (name === undefined) throw new UsageError(`the client is missing; the clients are ${known.join(', ')}`);
  const near = findNearestName(name, known);
  const guess = near === undefined ? '' : `; did you mean ${near}?`;
  throw new UsageError(`unknown client ${JSON.stringify(name)}; the clients are ${known.join(', ')}${guess}`);
}

const PROPERTY = 'roots';
const VALUE = 'overlap';

/**
 * Adds `--roots overlap` for a client whose only root is its working directory: that root is unrelated to the directories of the server.
 * Returns the same invocation if the user has set `--roots`, or the server does not have the option.
 */
async function adaptToClient(
  { hasWorkingDirectoryAsRoot }: Pick<Client, 'hasWorkingDirectoryAsRoot'>,
  invocation: Invocation,
  machine: Pick<Machine, 'env'>,
): Promise<Invocation> {
  const option = invocation.options.find(({ property }) => property === PROPERTY);
  if (hasWorkingDirectoryAsRoot !== true || option?.schema.enum?.includes(VALUE) !== true) return invocation;
  if (await isChosen(option, invocation, machine)) return invocation;
  const { arguments: given } = invocation;
  return { ...invocation, arguments: { ...given, values: new Map([...given.values, [PROPERTY, VALUE]]) } };
}

/** Explains why the entry has an option that the user did not give. */
function explainRootsOption({ title }: Pick<Client, 'title'>): string {
  return `The entry has --roots=overlap: ${title} reports its working directory as its only root, which would exclude every path elsewhere. Give --roots to choose another value.`;
}

async function isChosen(
  { variable }: Option,
  { arguments: { values, config } }: Invocation,
  { env }: Pick<Machine, 'env'>,
): Promise<boolean> {
  return values.has(PROPERTY) || (env[variable] ?? '') !== '' || (await readConfigProperties(config)).includes(PROPERTY);
}

/** Returns the changes to the configuration file of a client that make the client start the server. */
export function createChanges(client: Client, name: string, entry: Entry, machine: Pick<Machine, 'platform'>): readonly Change[] {
  const secrets = Object.entries(entry.secrets).map(([variable, value]) => [
    variable,
    client.secret?.reference(variable) ?? value,
  ]);
  const env: Record<string, string> = { ...entry.env, ...Object.fromEntries(secrets) };
  const parts = { ...createCommand(client, entry, machine), env };
  const inputs = client.inputs ? Object.keys(entry.secrets).map((variable) => createInput(variable, name)) : [];
  return [...inputs, { path: [client.servers, name], update: (existing) => mergeEntry(client.form, name, parts, existing) }];
}

function createCommand(
  { needsShell }: Client,
  { command, args }: Entry,
  { platform }: Pick<Machine, 'platform'>,
): { readonly command: string; readonly args: string[] } {
  const inShell = needsShell && platform === 'win32' && command === 'npx';
  return inShell ? { command: 'cmd', args: ['/c', command, ...args] } : { command, args: [...args] };
}

function createInput(variable: string, name: string): Change {
  const value = { type: 'promptString', id: variable, description: `${variable} of ${name}`, password: true };
  return { path: ['inputs'], id: variable, update: () => value };
}
