import path from 'node:path';

import { getGivenTexts, isSecret } from '../../options/secrets.ts';
import { splitList } from '../../options/split-list.ts';
import type { Option } from '../../options/option.ts';
import { UsageError } from '../../process/usage-error.ts';
import type { Invocation } from './invocation.ts';
import type { Machine } from '../../process/machine.ts';
import type { Program } from './program.ts';

/** The command and the environment with which a client starts a server over stdio. */
export interface Entry extends Program {
  /** Environment variables without secrets. */
  readonly env: Readonly<Record<string, string>>;
  /** Environment variables with secrets, which a shared configuration file must not contain. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Names of those `secrets` that contain a secret: a URL without a password does not. */
  readonly revealing: readonly string[];
}

/** An environment variable and its values, which are joined with commas. */
interface Variable {
  readonly name: string;
  readonly texts: readonly string[];
}

type Origin = Pick<Machine, 'env' | 'directory'>;

/**
 * Creates the entry with which a client starts the server with the options of this process. Values from the command
 * line become arguments. Secrets and values from the environment become variables. Paths are absolute, because the
 * client has another working directory.
 *
 * @throws UsageError if the options contain `--http`
 */
export function createEntry(program: Program, invocation: Invocation, origin: Origin): Entry {
  const { options, arguments: given, chosen } = invocation;
  if (Reflect.get(chosen, 'http') !== undefined)
    throw new UsageError(
      'a client starts the server over stdio; remove --http from the options, the environment and the config file',
    );
  const [secrets, others] = [options.filter(({ secret }) => secret), options.filter(({ secret }) => !secret)];
  const config = given.config === undefined ? [] : [`--config=${path.resolve(origin.directory, given.config)}`];
  const flags = others.flatMap((option) => formatFlags(option, given.values.get(option.property), origin));
  const fromEnvironment = others.filter((option) => !isGiven(option, invocation));
  const secretVariables = secrets.flatMap((option) => givenVariable(option, invocation) ?? readVariable(option, origin) ?? []);
  return {
    command: program.command,
    args: [...program.args, ...config, ...flags, ...formatPositionals(invocation, origin)],
    env: joinTexts(fromEnvironment.flatMap((option) => readVariable(option, origin) ?? [])),
    secrets: joinTexts(secretVariables),
    // Each text is checked separately: joined texts are not a valid URL, so a password in one of them would be missed.
    revealing: secretVariables.filter(({ texts }) => texts.some(isSecret)).map(({ name }) => name),
  };
}

function formatFlags(option: Option, value: unknown, origin: Origin): readonly string[] {
  if (typeof value === 'boolean') return [value ? `--${option.flag}` : `--no-${option.flag}`];
  return listTexts(value).map((text) => `--${option.flag}=${formatValue(option, text, origin)}`);
}

function formatPositionals({ options, positional, positionals, commands }: Invocation, origin: Origin): readonly string[] {
  const option = options.find(({ property }) => property === positional);
  if (option === undefined || option.secret) return [];
  const values = positionals.map((value) => formatValue(option, value, origin));
  const [first = ''] = values;
  return [
    ...(commands.includes(first) ? ['serve'] : []),
    ...(values.some((value) => value.startsWith('-')) ? ['--'] : []),
    ...values,
  ];
}

function isGiven({ property }: Option, { arguments: { values }, positional, positionals }: Invocation): boolean {
  return values.has(property) || (property === positional && positionals.length > 0);
}

/** Returns the variable of an option that is set in the environment. */
function readVariable(option: Option, origin: Origin): Variable | undefined {
  const text = origin.env[option.variable] ?? '';
  const values = option.kind === 'list' ? splitList(text) : [text];
  return text === '' ? undefined : { name: option.variable, texts: values.map((value) => formatValue(option, value, origin)) };
}

/** Returns a variable for an option that is given on the command line. */
function givenVariable(option: Option, invocation: Invocation): Variable | undefined {
  const texts = getGivenTexts(option, invocation);
  return texts.length === 0 ? undefined : { name: option.variable, texts };
}

function joinTexts(variables: readonly Variable[]): Readonly<Record<string, string>> {
  return Object.fromEntries(variables.map(({ name, texts }) => [name, texts.join(',')]));
}

/** Returns the texts of a value or a list of values. */
function listTexts(given: unknown): readonly string[] {
  return [given].flat().filter((value) => typeof value === 'string');
}

function formatValue({ path: isPath }: Option, value: string, { directory }: Origin): string {
  return isPath ? path.resolve(directory, value) : value;
}
