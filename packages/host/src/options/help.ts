import type { JsonValue, ServerInfo } from '@org/mcp-decorators';

import { ServerOptions } from '../server-options.ts';
import { optionsOf, type Option } from './option.ts';

const WIDTH = 80;
const COLUMN = 26;

/** What `--help` is made of. */
export interface HelpSubject {
  readonly info: ServerInfo;
  readonly options: readonly Option[];
  readonly positional: string | undefined;
  /** Subcommands and what each does. */
  readonly commands: Readonly<Record<string, string>>;
  /** Sets of tools and what is in each. Default: none. */
  readonly sets?: readonly Row[];
}

/** The text of `--help`, at most 80 columns wide. */
export function helpText({ info, options, positional, commands, sets = [] }: HelpSubject): string {
  const argument = options.find(({ property }) => property === positional);
  const usage = argument === undefined ? '' : ` [${placeholder(argument)}${argument.kind === 'list' ? ' …' : ''}]`;
  return [
    `${info.name} ${info.version}${info.description === undefined ? '' : `\n${wrap(info.description, 0)}`}`,
    `Usage: ${info.name} [command] [options]${usage}`,
    ...(argument === undefined ? [] : [row(placeholder(argument), describe(argument))]),
    ...section('Commands', Object.entries(commands)),
    ...optionSections(
      info.name,
      options.filter((option) => option !== argument),
    ),
    ...section('Sets of tools', sets),
    wrap(
      `Every option can also be set by an environment variable (${options[0]?.variable ?? ''} for --${options[0]?.flag ?? ''}, and so on) or by ` +
        'its name in the config file. The command line wins over the environment, the environment over the file. Lists are separated by commas.',
      0,
    ),
  ].join('\n\n');
}

type Row = readonly [term: string, text: string];

const HOST_OPTIONS: readonly Row[] = [
  ['--config FILE', 'Read options from a JSON file, by their names in camel case'],
  ['--dry-run', 'With install: show what would be changed, and change nothing'],
  ['-h, --help', 'Show this text'],
  ['-V, --version', 'Show the version'],
];

/** Those of this server first: the others are the same everywhere. */
function optionSections(name: string, flags: readonly Option[]): readonly string[] {
  const common = new Set(optionsOf(ServerOptions, name).map(({ property }) => property));
  const own = flags.filter(({ property }) => !common.has(property));
  const others = flags.filter(({ property }) => common.has(property));
  return [
    ...section('Options', own.map(rowOf)),
    ...section(own.length === 0 ? 'Options' : 'Options of every server', [...others.map(rowOf), ...HOST_OPTIONS]),
  ];
}

function rowOf(option: Option): Row {
  return [flagOf(option), describe(option)];
}

function flagOf(option: Option): string {
  if (option.kind !== 'boolean') return `--${option.flag} ${placeholder(option)}`;
  return option.schema.default === true ? `--[no-]${option.flag}` : `--${option.flag}`;
}

function placeholder({ schema, kind }: Option): string {
  return schema.title ?? (schema.type === 'integer' || schema.type === 'number' ? 'N' : kind === 'list' ? 'LIST' : 'TEXT');
}

function describe({ schema, kind }: Option): string {
  const facts = [
    ...(schema.enum === undefined ? [] : [`one of ${schema.enum.map(shown).join(', ')}`]),
    ...rangeOf(schema),
    ...defaultOf(schema.default, kind),
  ];
  return facts.length === 0 ? (schema.description ?? '') : `${schema.description ?? ''} (${facts.join('; ')})`;
}

function rangeOf({ minimum, maximum }: Option['schema']): readonly string[] {
  if (minimum !== undefined && maximum !== undefined) return [`${minimum} to ${maximum}`];
  if (minimum !== undefined) return [`at least ${minimum}`];
  return maximum === undefined ? [] : [`at most ${maximum}`];
}

function defaultOf(value: JsonValue | undefined, kind: Option['kind']): readonly string[] {
  if (kind === 'boolean') return value === true ? ['default: yes'] : [];
  return value === undefined || kind === 'list' ? [] : [`default: ${shown(value)}`];
}

function shown(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function section(title: string, terms: readonly Row[]): readonly string[] {
  return terms.length === 0 ? [] : [`${title}:\n${terms.map(([term, text]) => row(term, text)).join('\n')}`];
}

function row(term: string, text: string): string {
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
