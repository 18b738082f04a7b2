import { homedir } from 'node:os';

import { compileServer, DefinitionError } from '@org/mcp-decorators';

import { check } from './commands/check.ts';
import type { Command } from './commands/command.ts';
import { config } from './commands/config.ts';
import { install } from './commands/install.ts';
import { list } from './commands/list.ts';
import { manifest } from './commands/manifest.ts';
import { serve } from './commands/serve.ts';
import { createServer } from './created.ts';
import { settingsOf } from './info/settings.ts';
import { Log, visible } from './log.ts';
import { parseArguments } from './options/arguments.ts';
import { givenSecrets } from './options/given-secrets.ts';
import { helpText } from './options/help.ts';
import { optionsOf } from './options/option.ts';
import { readOptions } from './options/read-options.ts';
import { titleWithout } from './process-title.ts';
import { redact } from './redact.ts';
import type { ServerClass } from './server-object.ts';
import { giveBackSignals, takeSignals } from './shutdown.ts';
import { ServerOptions } from './server-options.ts';
import type { Invocation } from './setup/invocation.ts';
import type { Machine } from './setup/machine.ts';
import { shownToolSets } from './tool-sets.ts';
import { UsageError } from './usage-error.ts';

/** Defined by `scripts/bundle.mjs` in the programs that it builds, once their server has compiled. */
declare const IS_KNOWN_TO_COMPILE: true | undefined;

const COMMANDS: Readonly<Record<string, Command>> = { serve, list, manifest, check, config, install };

/** An options class: its annotated properties are the flags. */
export type OptionsClass<Options> = (new () => Options) & {
  readonly positional: string | undefined;
  readonly prints: Readonly<Record<string, () => string>>;
};

/**
 * Runs a server class as this process: reads its options, obeys the subcommand, serves over stdio until the client or a
 * signal ends it, and releases what it holds.
 *
 * Exit codes: 0 done; 1 a broken definition, a failed check or an unhandled error; 2 options that cannot be used.
 */
export async function runServer(target: ServerClass<ServerOptions>): Promise<void>;
/** Runs a server class that has options of its own; their class adds them to the flags. */
export async function runServer<Options extends ServerOptions>(
  target: ServerClass<Options>,
  options: OptionsClass<Options>,
): Promise<void>;
export async function runServer(target: ServerClass<never>, options: OptionsClass<ServerOptions> = ServerOptions): Promise<void> {
  takeSignals();
  ignoreClosedPipes();
  try {
    process.exitCode = await run(target, options);
  } catch (error) {
    process.exitCode = report(error);
  }
}

async function run(target: ServerClass<never>, optionsClass: OptionsClass<ServerOptions>): Promise<number> {
  const compiled = compileServer(target, [], { isKnownToCompile: typeof IS_KNOWN_TO_COMPILE !== 'undefined' });
  const { info } = compiled;
  const options = optionsOf(optionsClass, info.name);
  const given = parseArguments(process.argv.slice(2), options);
  if (given.help) {
    const { positional } = optionsClass;
    return print(helpText({ info, options, positional, commands: summaries(), sets: shownToolSets(compiled) }));
  }
  if (given.version) return print(info.version);
  const { command, operand, positionals } = commandOf(given.positionals);
  hideSecrets(info.name, givenSecrets(options, { arguments: given, positional: optionsClass.positional, positionals }));
  if (command !== serve) giveBackSignals();
  if (given.dryRun && command !== install) throw new UsageError('--dry-run is for install');
  const chosen = await readOptions(optionsClass, options, { arguments: given, positionals, env: process.env });
  const text = Object.entries(optionsClass.prints).find(([property]) => Reflect.get(chosen, property) === true)?.[1];
  if (text !== undefined) return print(text());
  const log = new Log({ level: chosen.logLevel, format: chosen.logFormat, write: (line) => process.stderr.write(line) });
  return command.run({
    log,
    create: () => createServer(target, chosen, { settings: settingsOf(options, chosen), log }),
    print,
    note: (text) => void process.stderr.write(`${text}\n`),
    invocation: {
      server: info.name,
      operand,
      options,
      positional: optionsClass.positional,
      arguments: given,
      positionals,
      chosen,
      commands: Object.keys(COMMANDS),
    },
    machine: thisMachine(),
  });
}

/** A reader that has seen enough, such as `head`, or a client that is gone is no error of this process. */
function ignoreClosedPipes(): void {
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') process.exitCode = report(error);
  });
}

/** On Linux and macOS the title replaces the arguments that other users see in a process list. */
function hideSecrets(name: string, secrets: readonly string[]): void {
  const title = titleWithout(secrets, name, process.argv.slice(2));
  if (title !== undefined) process.title = title;
}

function commandOf(positionals: readonly string[]): Pick<Invocation, 'operand' | 'positionals'> & { readonly command: Command } {
  const [first, ...rest] = positionals;
  const command = first === undefined || !Object.hasOwn(COMMANDS, first) ? undefined : COMMANDS[first];
  if (command === undefined) return { command: serve, operand: undefined, positionals };
  return command.operand === undefined
    ? { command, operand: undefined, positionals: rest }
    : { command, operand: rest[0], positionals: rest.slice(1) };
}

function summaries(): Record<string, string> {
  const shown = ([name, { summary, operand }]: readonly [string, Command]): readonly [string, string] => [
    operand === undefined ? name : `${name} ${operand}`,
    summary,
  ];
  return Object.fromEntries(Object.entries(COMMANDS).map(shown));
}

function thisMachine(): Machine {
  return {
    platform: process.platform,
    env: process.env,
    home: homedir(),
    directory: process.cwd(),
    node: process.execPath,
    script: process.argv[1],
  };
}

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}

function report(error: unknown): number {
  if (error instanceof UsageError) {
    process.stderr.write(`${visible(redact(error.message))}\nSee --help.\n`);
    return 2;
  }
  const text = DefinitionError.is(error)
    ? `the server is not defined correctly:\n${error.message}`
    : error instanceof Error
      ? error.stack
      : String(error);
  process.stderr.write(`${visible(redact(text ?? ''))}\n`);
  return 1;
}
