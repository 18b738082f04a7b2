import { parseArgs, type ParseArgsConfig } from 'node:util';

import { nearest } from '@org/mcp-decorators';

import { UsageError } from '../usage-error.ts';
import { splitList } from './lists.ts';
import type { Option } from './option.ts';

/** What stood on the command line. */
export interface Arguments {
  readonly positionals: readonly string[];
  /** By property. */
  readonly values: ReadonlyMap<string, unknown>;
  readonly help: boolean;
  readonly version: boolean;
  readonly config: string | undefined;
  readonly dryRun: boolean;
}

const COMMON = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'V' },
  config: { type: 'string' },
  'dry-run': { type: 'boolean' },
} as const;

/** Reads the command line. Throws a {@link UsageError} for a flag that is unknown or lacks its value. */
export function parseArguments(argv: readonly string[], options: readonly Option[]): Arguments {
  const { values, positionals } = parse(argv, options);
  return {
    positionals,
    values: new Map(
      options.flatMap((option) => (option.flag in values ? [[option.property, valueOf(option, values[option.flag])]] : [])),
    ),
    help: values['help'] === true,
    version: values['version'] === true,
    config: typeof values['config'] === 'string' ? values['config'] : undefined,
    dryRun: values['dry-run'] === true,
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
    throw new UsageError(explain(error, Object.keys(declared)), { cause: error });
  }
}

function valueOf({ kind }: Option, value: unknown): unknown {
  return kind === 'list' && Array.isArray(value) ? value.flatMap((part) => splitList(String(part))) : value;
}

function explain(error: unknown, flags: readonly string[]): string {
  const message = error instanceof Error ? error.message : String(error);
  const [, unknown] = /^Unknown option '(-[^']+)'/.exec(message) ?? [];
  if (unknown === undefined) return message;
  const name = unknown.replace(/^-+/, '');
  const near = nearest(name, flags);
  return `there is no option ${unknown}${near === undefined ? '' : `; did you mean --${near}?`}`;
}
