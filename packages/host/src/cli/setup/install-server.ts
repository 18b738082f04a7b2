import type { Machine } from '../../process/machine.ts';
import { redact } from '../../process/redact.ts';
import { UsageError } from '../../process/usage-error.ts';
import { makePrivate, readConfiguration, replaceConfiguration, type ConfigurationFile } from './configuration-file.ts';
import { readCommandLine } from './client.ts';
import { isObject, type Editor } from './configuration-editor.ts';
import { editConfiguration, loadEditor, readValue, type Change } from './edit-configuration.ts';
import type { Invocation } from './invocation.ts';
import { findClient, prepare, readEntryName, type Preparation } from './preparation.ts';

/**
 * Writes the entry of this server into the configuration file of a client, without starting the server. With `--dry-run`,
 * only describes the changes.
 *
 * @returns sentences that describe the changes and the next steps
 * @throws UsageError if the file cannot be read, edited or written; the file is then unchanged
 */
export async function installServer(invocation: Invocation, machine: Machine): Promise<readonly string[]> {
  const preparation = await prepare(invocation, machine);
  const { client, file: path, advice } = preparation;
  const file = await readConfiguration(path).catch(throwUsageError(path));
  const editor = await loadEditor(client.language);
  const text = applyChanges(editor, file, preparation.changes);
  const secrets = listStoredSecrets(preparation);
  if (text === file.text && invocation.arguments.dryRun) return [describeUnchanged(preparation, file)];
  if (text === file.text)
    return [describeUnchanged(preparation, file), ...(secrets.length > 0 ? await restrictAccess(file, secrets) : [])];
  if (invocation.arguments.dryRun)
    return [`Changes to ${file.path}:`, removeSecrets(formatChangedLines(file.text, text), preparation)];
  // A new file of a project is shared. A new file of a user may contain a secret, so only the user may access it.
  const mode = client.secret === undefined ? 0o600 : 0o666;
  const replacement = { text, mode, isPrivate: secrets.length > 0 };
  const backup = await replaceConfiguration(file, replacement).catch(throwUsageError(file.path));
  return [
    `Added ${preparation.name} to ${client.title}: ${file.path} was ${backup === undefined ? 'created' : 'changed'}.`,
    ...describeReplaced(editor, file, preparation),
    ...(backup === undefined ? [] : [`Backup of the previous file: ${backup}`]),
    ...describeSecrets(file, secrets),
    ...advice,
  ];
}

/** Returns the variables whose secrets the file itself contains. */
function listStoredSecrets({ client, entry }: Preparation): readonly string[] {
  return client.secret === undefined ? entry.revealing : [];
}

function describeUnchanged({ client, name }: Preparation, { path }: ConfigurationFile): string {
  return `${client.title} already has this entry for ${name}; ${path} was not changed.`;
}

async function restrictAccess(file: ConfigurationFile, secrets: readonly string[]): Promise<readonly string[]> {
  return (await makePrivate(file).catch(throwUsageError(file.path))) ? describeSecrets(file, secrets) : [];
}

/** Returns notes for the user about secrets in the file. */
function describeSecrets({ path, mode = 0 }: ConfigurationFile, secrets: readonly string[]): readonly string[] {
  if (secrets.length === 0) return [];
  const others = mode & 0o077;
  return [
    `${path} contains the secret ${secrets.join(', ')} in plain text.`,
    ...(others === 0 ? [] : [`Other users had access to the file (mode ${mode.toString(8)}); now only you have access.`]),
    'It is safer to omit the secret from the command; --help names the file or variable from which the server can read the secret.',
  ];
}

function applyChanges(editor: Editor, { path, text }: ConfigurationFile, changes: readonly Change[]): string {
  try {
    return editConfiguration(editor, text, changes);
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`${path} ${error.message}; nothing was changed`, { cause: error });
    throw error;
  }
}

/** Returns a sentence about the command of an existing entry that was replaced, and one about the properties that were kept. */
function describeReplaced(
  editor: Editor,
  { text }: ConfigurationFile,
  { client: { form, servers }, name }: Preparation,
): readonly string[] {
  const existing = readValue(editor, text, [servers, name]);
  const line = readCommandLine(form, existing);
  const written = new Set([...form.command, ...Object.keys(form.fixed ?? {}), form.env]);
  const env = isObject(existing) ? existing[form.env] : undefined;
  const kept = [
    ...(isObject(env) ? Object.keys(env).map((variable) => `${form.env}.${variable}`) : []),
    ...(isObject(existing) ? Object.keys(existing).filter((property) => !written.has(property)) : []),
  ];
  return [
    ...(line === undefined ? [] : [`The previous command was: ${redact(line)}`]),
    ...(kept.length === 0
      ? []
      : [`Properties of the previous entry that were kept, unless the options set them: ${kept.join(', ')}`]),
  ];
}

/**
 * Removes the entry of this server from the configuration file of a client. With `--dry-run`, only describes the changes.
 *
 * @returns sentences that describe the changes and the next step
 * @throws UsageError if the file has no such entry, or cannot be read, edited or written; the file is then unchanged
 */
export async function uninstallServer(invocation: Invocation, machine: Machine): Promise<readonly string[]> {
  const client = findClient(invocation.operand);
  const name = readEntryName(invocation);
  const [first] = invocation.positionals;
  if (first !== undefined) throw new UsageError(`uninstall takes only the client, got ${JSON.stringify(first)}`);
  const path = client.file(machine);
  const file = await readConfiguration(path).catch(throwUsageError(path));
  const editor = await loadEditor(client.language);
  const text = applyChanges(editor, file, [{ path: [client.servers, name], update: () => undefined }]);
  if (text === file.text)
    throw new UsageError(`${file.path} has no entry ${name}${listEntries(editor, file.text, client.servers)}`);
  if (invocation.arguments.dryRun) return [`Changes to ${file.path}:`, redact(formatChangedLines(file.text, text))];
  const backup = await replaceConfiguration(file, { text, mode: 0o600 }).catch(throwUsageError(file.path));
  return [
    `Removed ${name} from ${client.title}: ${file.path} was changed.`,
    `Backup of the previous file: ${backup ?? ''}`,
    `Restart ${client.title}.`,
  ];
}

function listEntries(editor: Editor, text: string, servers: string): string {
  const found = readValue(editor, text, [servers]);
  const names = isObject(found) ? Object.keys(found) : [];
  return names.length === 0 ? '' : `; its entries are ${names.join(', ')}`;
}

function removeSecrets(lines: string, { entry }: Preparation): string {
  const secrets = Object.values(entry.secrets).map((secret) => JSON.stringify(secret).slice(1, -1));
  return redact(secrets.reduce((text, secret) => text.replaceAll(secret, '***'), lines));
}

/** Returns a function that throws errors of the file system as usage errors, which are printed without a stack. */
function throwUsageError(file: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof UsageError || !(error instanceof Error)) throw error;
    throw new UsageError(`${file} cannot be changed: ${error.message}`, { cause: error });
  };
}

/** Formats the lines in which two texts differ: removed lines after `-`, added lines after `+`. */
export function formatChangedLines(before: string, after: string): string {
  const [old, now] = [splitLines(before), splitLines(after)];
  const shorter = Math.min(old.length, now.length);
  let head = 0;
  while (head < shorter && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  return [
    ...old.slice(head, old.length - tail).map((line) => `- ${line}`),
    ...now.slice(head, now.length - tail).map((line) => `+ ${line}`),
  ].join('\n');
}

function splitLines(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
}
