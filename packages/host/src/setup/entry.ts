import path from 'node:path';

import { givenTexts, isSecret } from '../options/given-secrets.ts';
import { splitList } from '../options/lists.ts';
import type { Option } from '../options/option.ts';
import { UsageError } from '../usage-error.ts';
import type { Invocation } from './invocation.ts';
import type { Machine } from './machine.ts';
import type { Program } from './program.ts';

/** How a client starts a server over stdio. */
export interface Entry extends Program {
  /** The variables that are set for it, less those with secrets. */
  readonly env: Readonly<Record<string, string>>;
  /** The variables with secrets, which not every configuration file may hold. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Names of those `secrets` that contain a secret: a URL without a password does not. */
  readonly revealing: readonly string[];
}

/** The texts that one variable of an entry is set to, joined by commas. */
interface Variable {
  readonly name: string;
  readonly texts: readonly string[];
}

type Place = Pick<Machine, 'env' | 'directory'>;

/**
 * The entry by which a client starts a server as it was called here: what stood on the command line is among the arguments, but what is
 * secret, and what the environment gave, is among the variables. Paths are absolute, because the client has a directory of its own.
 */
export function entryOf(program: Program, invocation: Invocation, place: Place): Entry {
  const { options, arguments: given, chosen } = invocation;
  if (Reflect.get(chosen, 'http') !== undefined)
    throw new UsageError('a client starts the server over stdio; leave out --http, wherever it is set');
  const [secrets, others] = [options.filter(({ secret }) => secret), options.filter(({ secret }) => !secret)];
  const config = given.config === undefined ? [] : [`--config=${path.resolve(place.directory, given.config)}`];
  const flags = others.flatMap((option) => flagsOf(option, given.values.get(option.property), place));
  const fromEnvironment = others.filter((option) => !isGiven(option, invocation));
  const secretVariables = secrets.flatMap((option) => givenVariable(option, invocation) ?? variableOf(option, place) ?? []);
  return {
    command: program.command,
    args: [...program.args, ...config, ...flags, ...positionalsOf(invocation, place)],
    env: joined(fromEnvironment.flatMap((option) => variableOf(option, place) ?? [])),
    secrets: joined(secretVariables),
    // Joined texts are not a URL, so that a password in one of them would be overlooked.
    revealing: secretVariables.filter(({ texts }) => texts.some(isSecret)).map(({ name }) => name),
  };
}

function flagsOf(option: Option, value: unknown, place: Place): readonly string[] {
  if (typeof value === 'boolean') return [value ? `--${option.flag}` : `--no-${option.flag}`];
  return textsOf(value).map((text) => `--${option.flag}=${written(option, text, place)}`);
}

function positionalsOf({ options, positional, positionals, commands }: Invocation, place: Place): readonly string[] {
  const option = options.find(({ property }) => property === positional);
  if (option === undefined || option.secret) return [];
  const values = positionals.map((value) => written(option, value, place));
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

/** What the environment gives of an option. */
function variableOf(option: Option, place: Place): Variable | undefined {
  const text = place.env[option.variable] ?? '';
  const values = option.kind === 'list' ? splitList(text) : [text];
  return text === '' ? undefined : { name: option.variable, texts: values.map((value) => written(option, value, place)) };
}

/** What the command line gives of an option. */
function givenVariable(option: Option, invocation: Invocation): Variable | undefined {
  const texts = givenTexts(option, invocation);
  return texts.length === 0 ? undefined : { name: option.variable, texts };
}

function joined(variables: readonly Variable[]): Readonly<Record<string, string>> {
  return Object.fromEntries(variables.map(({ name, texts }) => [name, texts.join(',')]));
}

/** Of a value or a list of them. */
function textsOf(given: unknown): readonly string[] {
  return [given].flat().filter((value) => typeof value === 'string');
}

function written({ path: isPath }: Option, value: string, { directory }: Place): string {
  return isPath ? path.resolve(directory, value) : value;
}
