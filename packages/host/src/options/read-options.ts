import { readFile } from 'node:fs/promises';

import { ClassSchema, type Constructor, type Issue } from '@org/mcp-decorators';

import { describeError } from '../process/error-code.ts';
import { UsageError } from '../process/usage-error.ts';
import type { Arguments } from './arguments.ts';
import { splitList } from './split-list.ts';
import type { Option } from './option.ts';
import { isQuantity, parseQuantity } from './quantities.ts';

/** Sources of option values. */
export interface OptionSources {
  readonly arguments: Arguments;
  readonly positionals: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

interface Given {
  readonly value: unknown;
  /** Source for error messages: the flag, the variable, or the key and file. */
  readonly source: string;
}

/**
 * Creates the options object. The command line overrides the environment, which overrides the config file.
 *
 * @throws UsageError that names every invalid value and its source
 */
export async function readOptions<Options extends object>(
  target: Constructor<Options> & { readonly positional?: string | undefined },
  options: readonly Option[],
  sources: OptionSources,
): Promise<Options> {
  const given = new Map([
    ...(await fromConfigFile(sources.arguments.config)),
    ...fromEnvironment(options, sources.env),
    ...fromArguments(options, sources.arguments),
    ...fromPositionals(options, target.positional, sources),
  ]);
  const schema = ClassSchema.of<Options>(target);
  const removed = [...given].find(
    ([name]) => Object.hasOwn(schema.input.properties, name) && !options.some(({ property }) => property === name),
  );
  if (removed !== undefined) throw new UsageError(`${removed[1].source}: is not an option of this server`);
  const raw = convertQuantities(options, given);
  const parsed = schema.parse(raw, { strings: true });
  if (parsed.issues === undefined) return parsed.value;
  throw new UsageError(parsed.issues.map((issue) => formatIssue(issue, options, given)).join('\n'));
}

/** Returns the values by property; texts of durations and sizes become numbers. @throws UsageError that names every invalid text */
function convertQuantities(options: readonly Option[], given: ReadonlyMap<string, Given>): Readonly<Record<string, unknown>> {
  const problems: string[] = [];
  const values = [...given].map(([property, { value, source }]) => {
    const schema = options.find((option) => option.property === property)?.schema ?? {};
    // The config file may contain a number of bytes, but a number without a unit is not a time.
    if (!isQuantity(schema.format) || !['string', 'number'].includes(typeof value)) return [property, value];
    const number = parseQuantity(String(value), schema.format, schema);
    if (typeof number === 'string') problems.push(`${source}: ${number}`);
    return [property, number];
  });
  if (problems.length > 0) throw new UsageError(problems.join('\n'));
  return Object.fromEntries(values);
}

/** Returns the properties that a config file sets. */
export async function readConfigProperties(file: string | undefined): Promise<readonly string[]> {
  return (await fromConfigFile(file)).map(([property]) => property);
}

async function fromConfigFile(file: string | undefined): Promise<readonly (readonly [string, Given])[]> {
  if (file === undefined) return [];
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageError(`the config file ${file} cannot be read: ${describeError(error)}`, { cause: error });
  });
  return Object.entries(parseConfig(file, text)).map(([property, value]) => [
    property,
    { value, source: `"${property}" in ${file}` },
  ]);
}

function parseConfig(file: string, text: string): object {
  let config: unknown;
  try {
    config = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`the config file ${file} is not valid JSON: ${String(error)}`, { cause: error });
  }
  if (typeof config === 'object' && config !== null && !Array.isArray(config)) return config;
  throw new UsageError(`the config file ${file} does not contain an object`);
}

function fromEnvironment(options: readonly Option[], env: OptionSources['env']): readonly (readonly [string, Given])[] {
  return options.flatMap(({ property, variable, kind }) => {
    const text = env[variable];
    if (text === undefined || text === '') return [];
    const value = kind === 'list' ? splitList(text) : kind === 'boolean' ? booleanWord(text) : text;
    return [[property, { value, source: variable }] as const];
  });
}

function fromArguments(options: readonly Option[], { values }: Arguments): readonly (readonly [string, Given])[] {
  return options.flatMap(({ property, flag }) =>
    values.has(property) ? [[property, { value: values.get(property), source: `--${flag}` }] as const] : [],
  );
}

function fromPositionals(
  options: readonly Option[],
  positional: string | undefined,
  { positionals, arguments: { values } }: OptionSources,
): readonly (readonly [string, Given])[] {
  const [first, second] = positionals;
  if (first === undefined) return [];
  const option = options.find(({ property }) => property === positional);
  if (option === undefined) throw new UsageError(`unexpected argument ${JSON.stringify(first)}`);
  const flagged = values.get(option.property);
  if (Array.isArray(flagged)) return [[option.property, { value: [...flagged, ...positionals], source: 'the arguments' }]];
  if (option.kind === 'list') return [[option.property, { value: [...positionals], source: 'the arguments' }]];
  if (second !== undefined) throw new UsageError(`unexpected argument ${JSON.stringify(second)}`);
  return [[option.property, { value: first, source: 'the argument' }]];
}

function booleanWord(text: string): string {
  if (text === '1') return 'true';
  return text === '0' ? 'false' : text;
}

function formatIssue(
  { path: [property, ...rest], message }: Issue,
  options: readonly Option[],
  given: ReadonlyMap<string, Given>,
): string {
  const flag = options.find((option) => option.property === property)?.flag;
  const source = given.get(String(property))?.source ?? (flag === undefined ? String(property) : `--${flag}`);
  return `${source}${rest.length === 0 ? '' : `, at ${rest.join('.')}`}: ${message}`;
}
