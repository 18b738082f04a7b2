import { parseArgs, type ParseArgsConfig } from 'node:util';

import { findNearestName } from '@org/mcp-decorators';

import { UsageError } from '../process/usage-error.ts';
import { splitList } from './split-list.ts';
import type { Option } from './option.ts';

/** The parsed command line. */
export interface Arguments {
  readonly positionals: readonly string[];
  /** Values of flags, by property. */
  readonly values: ReadonlyMap<string, unknown>;
  readonly help: boolean;
  readonly version: boolean;
  readonly config: string | undefined;
  readonly dryRun: boolean;
  /** Name of the entry for a client. */
  readonly name: string | undefined;
}

const COMMON = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'V' },
  config: { type: 'string' },
  'dry-run': { type: 'boolean' },
  name: { type: 'string' },
} as const;

/** Parses the command line. @throws UsageError for an unknown flag or a missing value */
export function parseArguments(argv: readonly string[], options: readonly Option[]): Arguments {
  const { values, positionals } = parse(argv, options);
  return {
    positionals,
    values: new Map(
      options.flatMap((option) => (option.flag in values ? [[option.property, readValue(option, values[option.flag])]] : [])),
    ),
    help: values['help'] === true,
    version: values['version'] === true,
    config: typeof values['config'] === 'string' ? values['config'] : undefined,
    dryRun: values['dry-run'] === true,
    name: typeof values['name'] === 'string' ? values['name'] : undefined,
  };
}

function parse(
  argv: readonly string[],
  options: readonly Option[],
): { readonly values: Record<string, unknown>; readonly positionals: string[] } {
  const declared: NonNullable<ParseArgsConfig['options']> = { ...COMMON };
  for (const { flag, kind } of options) {
    declared[flag] = { type: kind === 'boolean' ? 'boolean' : 'string', multiple: kind === 'list' };
  }
  try {
    return parseArgs({ args: [...argv], options: declared, strict: true, allowPositionals: true, allowNegative: true });
  } catch (error) {
    throw new UsageError(explainParseError(error, Object.keys(declared)), { cause: error });
  }
}

function readValue({ kind }: Option, value: unknown): unknown {
  return kind === 'list' && Array.isArray(value) ? value.flatMap((part) => splitList(String(part))) : value;
}

function explainParseError(error: unknown, flags: readonly string[]): string {
  const message = error instanceof Error ? error.message : String(error);
  const [, unknown] = /^Unknown option '(-[^']+)'/.exec(message) ?? [];
  if (unknown === undefined) return explainValueError(message);
  const name = unknown.replace(/^-+/, '');
  const near = findNearestName(name, flags);
  return `unknown option ${unknown}${near === undefined ? '' : `; did you mean --${near}?`}`;
}

/** Rewrites the messages of Node.js about values of options. */
function explainValueError(message: string): string {
  const { flag, problem } = VALUE_ERROR.exec(message)?.groups ?? {};
  if (flag === undefined) return message;
  if (problem === 'does not take an argument') return `${flag} takes no value`;
  const example = problem === 'argument is ambiguous' ? `; write ${flag}=VALUE for a value that begins with -` : '';
  return `${flag} needs a value${example}`;
}

const VALUE_ERROR =
  /^Option '(?:-\w, )?(?<flag>--[\w-]+)(?: <value>)?' (?<problem>does not take an argument|argument missing|argument is ambiguous)/;
