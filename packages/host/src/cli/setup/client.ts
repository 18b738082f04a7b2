import type { JsonValue } from '@org/mcp-decorators';

import type { Machine } from '../../process/machine.ts';
import { isObject, type ConfigurationLanguage } from './configuration-editor.ts';
import type { Entry } from './entry.ts';

/** A program that starts servers, and its configuration file. */
export interface Client {
  /** Display name. */
  readonly title: string;
  /** Returns the path of the configuration file. */
  readonly file: (machine: Machine) => string;
  readonly language: ConfigurationLanguage;
  /** Key in the configuration file under which the servers are listed. */
  readonly servers: string;
  readonly form: EntryForm;
  /** Whether `npx` must be started by a shell on Windows. */
  readonly needsShell: boolean;
  /**
   * Present if the file is shared with a project: the reference that the file contains instead of a secret, and advice
   * for the user. Absent if only the user has the file, which then contains the secret itself.
   */
  readonly secret?: { readonly reference: (variable: string) => string; readonly advice: (variable: string) => string };
  /** Present if the client always reports its working directory as its only root. */
  readonly hasWorkingDirectoryAsRoot?: true;
  /** Whether the file declares inputs that the client asks its user for. */
  readonly inputs: boolean;
  /** Next step for the user. */
  readonly next: string;
  /** Formats a command that adds the server instead of editing the file. */
  readonly command?: (server: string, entry: Entry, machine: Machine) => string;
}

/** Names of the properties of an entry. */
export interface EntryForm {
  /** Names of the properties for the program and for its arguments. A single property is a list of both. */
  readonly command: readonly [program: string, args: string] | readonly [all: string];
  readonly env: string;
  /** Properties with values that the entry must have. */
  readonly fixed?: Readonly<Record<string, JsonValue>>;
  /** Returns properties whose values the user may have changed. */
  readonly initial?: (name: string) => Readonly<Record<string, JsonValue>>;
}

/** Parts of an entry that depend on the server. */
export interface EntryParts {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Properties of an entry for a server that is reached over HTTP. */
const REMOTE = new Set(['url', 'serverUrl', 'httpUrl', 'uri', 'headers', 'http_headers', 'bearer_token_env_var']);

/**
 * Returns an entry merged with the existing one. Variables and properties that only the existing entry has are kept,
 * except properties for HTTP.
 */
export function mergeEntry(form: EntryForm, name: string, { command, args, env }: EntryParts, existing: unknown): JsonValue {
  const old = isObject(existing) ? Object.entries(existing).filter(([property]) => !REMOTE.has(property)) : [];
  const oldEnv: unknown = Object.fromEntries(old)[form.env];
  const variables = { ...(isObject(oldEnv) && oldEnv), ...env };
  const [program, list] = form.command;
  const merged = {
    ...form.initial?.(name),
    ...Object.fromEntries(old),
    ...form.fixed,
    ...(list === undefined ? { [program]: [command, ...args] } : { [program]: command, [list]: [...args] }),
    ...(Object.keys(variables).length > 0 && { [form.env]: variables }),
  };
  return toJson(merged);
}

/** Returns the command line of an existing entry, or `undefined` if it has none. */
export function readCommandLine({ command: [program, list] }: EntryForm, existing: unknown): string | undefined {
  if (!isObject(existing)) return undefined;
  const parts = [existing[program], list === undefined ? [] : existing[list]].flat().filter((part) => typeof part === 'string');
  return parts.length === 0 ? undefined : parts.join(' ');
}

function toJson(value: object): JsonValue {
  return JSON.parse(JSON.stringify(value));
}
