import { nearest } from '@org/mcp-decorators';

import { UsageError } from '../usage-error.ts';
import { CLIENTS, type Client } from './clients.ts';
import { configurationFor } from './configuration-entry.ts';
import type { Change } from './edit-configuration.ts';
import { entryOf, type Entry } from './entry.ts';
import type { Invocation } from './invocation.ts';
import type { Machine } from './machine.ts';
import { adviceOnRoots, fittedTo } from './working-directory-root.ts';
import { programOf } from './program.ts';

/** What it takes for a client to start this server as it was called. */
export interface Preparation {
  readonly client: Client;
  /** The client's configuration file. */
  readonly file: string;
  readonly entry: Entry;
  readonly changes: readonly Change[];
  /** What a person has to do besides, a sentence for each. */
  readonly advice: readonly string[];
}

const TOKEN_ADVICE =
  'With --confirm token the server asks no user: let the client ask before it calls a tool that may lose something.';

/** @throws UsageError for a client that is not known, or an option that no client can use */
export async function prepare(invocation: Invocation, machine: Machine): Promise<Preparation> {
  const client = clientOf(invocation.operand);
  const fitted = await fittedTo(client, invocation, machine);
  const entry = entryOf(await programOf(machine), fitted, machine);
  return {
    client,
    file: client.file(machine),
    entry,
    changes: configurationFor(client, invocation.server, entry, machine),
    advice: [
      ...(fitted === invocation ? [] : [adviceOnRoots(client)]),
      ...Object.keys(entry.secrets).flatMap((variable) => client.secret?.advice(variable) ?? []),
      ...(Reflect.get(invocation.chosen, 'confirm') === 'token' ? [TOKEN_ADVICE] : []),
      client.next,
      ...(client.command === undefined ? [] : [`Or, for yourself alone: ${client.command(invocation.server, entry, machine)}`]),
    ],
  };
}

function clientOf(name: string | undefined): Client {
  const known = Object.keys(CLIENTS);
  const client = name !== undefined && Object.hasOwn(CLIENTS, name) ? CLIENTS[name] : undefined;
  if (client !== undefined) return client;
  if (name === undefined) throw new UsageError(`name a client: ${known.join(', ')}`);
  const near = nearest(name, known);
  const guess = near === undefined ? '' : `; did you mean ${near}?`;
  throw new UsageError(`there is no client ${JSON.stringify(name)}, only ${known.join(', ')}${guess}`);
}
