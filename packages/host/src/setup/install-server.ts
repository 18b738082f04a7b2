import { redact } from '../redact.ts';
import { UsageError } from '../usage-error.ts';
import { changedLines } from './changed-lines.ts';
import { makePrivate, readConfiguration, replaceConfiguration, type ConfigurationFile } from './configuration-file.ts';
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
  const secrets = storedSecrets(preparation);
  if (text === file.text && invocation.arguments.dryRun) return [unchanged(invocation, preparation, file)];
  if (text === file.text)
    return [unchanged(invocation, preparation, file), ...(secrets.length > 0 ? await tightened(file, secrets) : [])];
  if (invocation.arguments.dryRun)
    return [`Would be changed in ${file.path}:`, withoutSecrets(changedLines(file.text, text), preparation)];
  // Others may read what a project shares, and nobody else what has a secret in it.
  const mode = client.secret === undefined ? 0o600 : 0o666;
  const replacement = { text, mode, isPrivate: secrets.length > 0 };
  const backup = await replaceConfiguration(file, replacement).catch(refuse(file.path));
  return [
    `${client.title} has ${invocation.server} now: ${file.path} was ${backup === undefined ? 'created' : 'changed'}.`,
    ...(backup === undefined ? [] : [`As it was before: ${backup}`]),
    ...secretNotes(file, secrets),
    ...advice,
  ];
}

/** Returns the variables whose secrets the file itself contains. */
function storedSecrets({ client, entry }: Preparation): readonly string[] {
  return client.secret === undefined ? entry.revealing : [];
}

function unchanged({ server }: Invocation, { client }: Preparation, { path }: ConfigurationFile): string {
  return `${client.title} has ${server} already; ${path} was not changed.`;
}

async function tightened(file: ConfigurationFile, secrets: readonly string[]): Promise<readonly string[]> {
  return (await makePrivate(file).catch(refuse(file.path))) ? secretNotes(file, secrets) : [];
}

/** Returns notes for the user about secrets in the file. */
function secretNotes({ path, mode = 0 }: ConfigurationFile, secrets: readonly string[]): readonly string[] {
  if (secrets.length === 0) return [];
  const others = mode & 0o077;
  return [
    `${path} contains the secret ${secrets.join(', ')} as it is.`,
    ...(others === 0 ? [] : [`Other users could open it (mode ${mode.toString(8)}); now only you can.`]),
    'It is safer to leave the secret out of the command: --help says from which file or variable the server reads it then.',
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
