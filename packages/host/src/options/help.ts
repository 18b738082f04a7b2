import type { JsonValue, ServerInfo } from '@org/mcp-decorators';

import type { Option, OptionGroups } from './option.ts';
import { formatQuantity, isQuantity } from './quantities.ts';

const WIDTH = 80;
const COLUMN = 26;

/** Contents of `--help`. */
export interface HelpSubject {
  readonly info: ServerInfo;
  readonly options: readonly Option[];
  readonly positional: string | undefined;
  /** Headings of the options, in order. Options without a heading precede them. */
  readonly groups: OptionGroups;
  /** Subcommands and their descriptions. */
  readonly commands: Readonly<Record<string, string>>;
  /** Tool sets and the tools in each set. Default: no sets. */
  readonly sets?: readonly Row[];
}

/** Formats the text of `--help`, at most 80 columns wide. */
export function formatHelp({ info, options, positional, commands, groups, sets = [] }: HelpSubject): string {
  const argument = options.find(({ property }) => property === positional);
  const usage = argument === undefined ? '' : ` [${placeholder(argument)}${argument.kind === 'list' ? ' …' : ''}]`;
  return [
    `${info.name} ${info.version}${info.description === undefined ? '' : `\n${wrap(info.description, 0)}`}`,
    `Usage: ${info.name} [command] [options]${usage}`,
    ...(argument === undefined ? [] : [formatRow(placeholder(argument), describeOption(argument))]),
    ...section('Examples', listExamples(info.name, argument)),
    ...section('Commands', Object.entries(commands)),
    ...optionSections(
      options.filter((option) => option !== argument),
      groups,
    ),
    ...section('Tool sets', sets),
    wrap(
      `Every option can also be set in the environment (${options[0]?.variable ?? ''} for --${options[0]?.flag ?? ''}, and so on) or in the ` +
        'config file. The command line overrides the environment, which overrides the config file. Lists are separated by commas.',
      0,
    ),
  ].join('\n\n');
}

/** Returns command lines for the first steps. They contain the placeholder of `argument`, if the program takes arguments. */
function listExamples(name: string, argument: Option | undefined): readonly Row[] {
  const value = argument === undefined ? '' : ` ${placeholder(argument)}`;
  return [
    [`${name}${value}`, 'Serve over stdio, for a client to start'],
    [`${name} check${value}`, 'Check the definition, the options and the services without serving'],
    [`${name} install claude-desktop${value}`, 'Let a client start the server'],
  ];
}

type Row = readonly [term: string, text: string];

const HOST_OPTIONS: readonly Row[] = [
  ['--config FILE', 'Read options from a JSON file; its keys are option names in camel case'],
  ['--name NAME', 'With install, uninstall and config: name of the entry; default: the name of the server'],
  ['--dry-run', 'With install and uninstall: show the changes without writing them'],
  ['-h, --help', 'Show this help'],
  ['-V, --version', 'Show the version'],
];

function optionSections(flags: readonly Option[], groups: OptionGroups): readonly string[] {
  const headings = groupOptions(flags, groups);
  return [
    ...headings.flatMap(([title, options]) => section(title, options.map(formatOption))),
    ...section('General', HOST_OPTIONS),
  ];
}

/**
 * Returns the options below each heading. Options without a heading come first, below the heading `Options`.
 *
 * @public scripts/reference.mjs imports this function from the built package
 */
export function groupOptions(
  flags: readonly Option[],
  groups: OptionGroups,
): readonly (readonly [title: string, options: readonly Option[]])[] {
  const titles = new Map(
    Object.entries(groups)
      .toReversed()
      .flatMap(([title, properties]) => properties.map((property) => [property, title] as const)),
  );
  const ungrouped = flags.filter(({ property }) => !titles.has(property));
  const grouped = Object.keys(groups).map(
    (title) => [title, flags.filter(({ property }) => titles.get(property) === title)] as const,
  );
  return [['Options', ungrouped] as const, ...grouped].filter(([, options]) => options.length > 0);
}

function formatOption(option: Option): Row {
  return [formatFlag(option), describeOption(option)];
}

function formatFlag(option: Option): string {
  if (option.kind !== 'boolean') return `--${option.flag} ${placeholder(option)}`;
  return option.schema.default === true ? `--[no-]${option.flag}` : `--${option.flag}`;
}

function placeholder({ schema, kind }: Option): string {
  return schema.title ?? (schema.type === 'integer' || schema.type === 'number' ? 'N' : kind === 'list' ? 'LIST' : 'TEXT');
}

function describeOption({ schema, kind }: Option): string {
  const facts = [
    ...(schema.enum === undefined ? [] : [`one of ${schema.enum.map((value) => formatValue(value)).join(', ')}`]),
    ...describeRange(schema),
    ...describeDefault(schema, kind),
  ];
  return facts.length === 0 ? (schema.description ?? '') : `${schema.description ?? ''} (${facts.join('; ')})`;
}

function describeRange({ minimum, maximum, format }: Option['schema']): readonly string[] {
  if (minimum !== undefined && maximum !== undefined)
    return [`${formatValue(minimum, format)} to ${formatValue(maximum, format)}`];
  if (minimum !== undefined) return [`at least ${formatValue(minimum, format)}`];
  return maximum === undefined ? [] : [`at most ${formatValue(maximum, format)}`];
}

function describeDefault({ default: value, format }: Option['schema'], kind: Option['kind']): readonly string[] {
  if (kind === 'boolean') return value === true ? ['default: yes'] : [];
  if (Array.isArray(value)) return value.length === 0 ? [] : [`default: ${value.map((item) => formatValue(item)).join(',')}`];
  return value === undefined ? [] : [`default: ${formatValue(value, format)}`];
}

function formatValue(value: JsonValue, format?: string): string {
  if (typeof value === 'number' && isQuantity(format)) return formatQuantity(value, format);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function section(title: string, terms: readonly Row[]): readonly string[] {
  return terms.length === 0 ? [] : [`${title}:\n${terms.map(([term, text]) => formatRow(term, text)).join('\n')}`];
}

function formatRow(term: string, text: string): string {
  const head = `  ${term}`;
  const body = wrap(text, COLUMN);
  return head.length < COLUMN - 1 ? head.padEnd(COLUMN) + body : `${head}\n${' '.repeat(COLUMN)}${body}`;
}

function wrap(text: string, indent: number): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && indent + line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join(`\n${' '.repeat(indent)}`);
}
