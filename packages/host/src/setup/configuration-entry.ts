import type { JsonValue } from '@org/mcp-decorators';

import type { Client } from './clients.ts';
import type { Change } from './edit-configuration.ts';
import type { Entry } from './entry.ts';
import type { Machine } from './machine.ts';

/** What the configuration file of a client has to hold so that it starts a server of this name. */
export function configurationFor(
  client: Client,
  name: string,
  entry: Entry,
  machine: Pick<Machine, 'platform'>,
): readonly Change[] {
  const secrets = Object.entries(entry.secrets).map(([variable, value]) => [
    variable,
    client.secret?.reference(variable) ?? value,
  ]);
  const env: Record<string, string> = { ...entry.env, ...Object.fromEntries(secrets) };
  const server: Record<string, JsonValue> = {
    ...(client.typed && { type: 'stdio' }),
    ...startOf(client, entry, machine),
    ...(Object.keys(env).length > 0 && { env }),
  };
  const inputs = client.inputs ? Object.keys(entry.secrets).map((variable) => inputOf(variable, name)) : [];
  return [...inputs, { path: [client.servers, name], value: server }];
}

function startOf(
  { needsShell }: Client,
  { command, args }: Entry,
  { platform }: Pick<Machine, 'platform'>,
): { readonly command: string; readonly args: string[] } {
  const inShell = needsShell && platform === 'win32' && command === 'npx';
  return inShell ? { command: 'cmd', args: ['/c', command, ...args] } : { command, args: [...args] };
}

function inputOf(variable: string, name: string): Change {
  const value = { type: 'promptString', id: variable, description: `${variable} of ${name}`, password: true };
  return { path: ['inputs'], id: variable, value };
}
