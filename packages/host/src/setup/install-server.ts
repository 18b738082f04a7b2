import { redact } from '../redact.ts';
import { UsageError } from '../usage-error.ts';
import { changedLines } from './changed-lines.ts';
import { readConfiguration, replaceConfiguration, type ConfigurationFile } from './configuration-file.ts';
import { editConfiguration } from './edit-configuration.ts';
import type { Invocation } from './invocation.ts';
import type { Machine } from './machine.ts';
import { prepare, type Preparation } from './preparation.ts';

/**
 * Writes the entry of this server into the configuration file of a client, and starts nothing.
 *
 * @returns what was done, in sentences
 * @throws UsageError for a file that cannot be read, edited or written; it is left as it was
 */
export async function installServer(invocation: Invocation, machine: Machine): Promise<readonly string[]> {
  const preparation = await prepare(invocation, machine);
  const { client, file: path, advice } = preparation;
  const file = await readConfiguration(path).catch(refuse(path));
  const text = edited(file, preparation);
  if (text === file.text) return [`${client.title} has ${invocation.server} already; ${file.path} was not changed.`];
  if (invocation.arguments.dryRun)
    return [`Would be changed in ${file.path}:`, withoutSecrets(changedLines(file.text, text), preparation)];
  // Others may read what a project shares, and nobody else what has a secret in it.
  const backup = await replaceConfiguration(file, text, client.secret === undefined ? 0o600 : 0o666).catch(refuse(file.path));
  return [
    `${client.title} has ${invocation.server} now: ${file.path} was ${backup === undefined ? 'created' : 'changed'}.`,
    ...(backup === undefined ? [] : [`As it was before: ${backup}`]),
    ...advice,
  ];
}

function edited({ path, text }: ConfigurationFile, { changes }: Preparation): string {
  try {
    return editConfiguration(text, changes);
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`${path} ${error.message}; nothing was changed`, { cause: error });
    throw error;
  }
}

function withoutSecrets(lines: string, { entry }: Preparation): string {
  const secrets = Object.values(entry.secrets).map((secret) => JSON.stringify(secret).slice(1, -1));
  return redact(secrets.reduce((text, secret) => text.replaceAll(secret, '***'), lines));
}

/** What the system says of a file is for the person who named the client, not for whoever wrote this program. */
function refuse(file: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof UsageError || !(error instanceof Error)) throw error;
    throw new UsageError(`${file} cannot be changed: ${error.message}`, { cause: error });
  };
}
