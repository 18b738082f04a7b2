import { homedir } from 'node:os';

import { compileServer, DefinitionError, type CompiledServer } from '@org/mcp-decorators';

import { selectVisibleOptions } from '../info/visible-options.ts';
import { parseArguments, type Arguments } from '../options/arguments.ts';
import { findSecrets } from '../options/secrets.ts';
import { formatHelp } from '../options/help.ts';
import { describeIgnoredVariables } from '../options/ignored-variables.ts';
import { describeOptions, readGroups, type FlagChanges, type Option, type OptionGroups } from '../options/option.ts';
import { readOptions } from '../options/read-options.ts';
import { ServerOptions } from '../options/server-options.ts';
import { Log, escapeControls } from '../process/log.ts';
import type { Machine } from '../process/machine.ts';
import { redact } from '../process/redact.ts';
import type { ServerClass } from '../process/server-object.ts';
import { disposeServer } from '../process/server-object.ts';
import { releaseSignals, interceptSignals } from '../process/shutdown.ts';
import { UsageError } from '../process/usage-error.ts';
import { createServerObject, type FactorySettings, type ProgramSettings } from '../server/server-object-factory.ts';
import { createServerInstance, type InstanceContext, type ServerInstance } from '../server/server-instance.ts';
import { describeToolSets } from '../server/tool-sets.ts';
import { check } from './commands/check.ts';
import type { Command } from './commands/command.ts';
import { config } from './commands/config.ts';
import { install } from './commands/install.ts';
import { list } from './commands/list.ts';
import { manifest } from './commands/manifest.ts';
import { serve } from './commands/serve.ts';
import { uninstall } from './commands/uninstall.ts';
import { selectCommand } from './select-command.ts';
import type { Invocation } from './setup/invocation.ts';

/** `true` in bundled programs: `scripts/bundle.mjs` defines this constant after the server has compiled without problems. */
declare const IS_KNOWN_TO_COMPILE: true | undefined;
const isKnownToCompile = typeof IS_KNOWN_TO_COMPILE !== 'undefined';

const COMMANDS: Readonly<Record<string, Command>> = { serve, list, manifest, check, config, install, uninstall };

/** An options class: its annotated properties are the flags. */
export type OptionsClass<Options> = (new () => Options) & {
  readonly positional: string | undefined;
  readonly flags: FlagChanges;
  readonly groups: OptionGroups;
  readonly prints: Readonly<Record<string, () => string>>;
};

/** A class of server objects, whatever its constructor takes. */
type AnyClass = abstract new (...parameters: never[]) => object;

/**
 * Runs a server class, or an object of one, as this process: reads the options, runs the subcommand and releases the
 * resources. The default subcommand serves until the client closes its side or a signal arrives.
 *
 * Exit codes: 0 success; 1 an invalid definition, a failed check or an unhandled error; 2 invalid options.
 */
export async function runServer(target: ServerClass<ServerOptions>): Promise<void>;
/** Runs a server class with its own options class, whose properties become additional flags. */
export async function runServer<Options extends ServerOptions>(
  target: ServerClass<Options>,
  options: OptionsClass<Options>,
  settings?: ProgramSettings,
): Promise<void>;
/** Runs a server class whose objects are created by a function, for instance by a container for dependency injection. */
export async function runServer<Options extends ServerOptions>(
  target: AnyClass,
  options: OptionsClass<Options>,
  settings: FactorySettings<Options>,
): Promise<void>;
/** Runs a server object. Its own options have no flags; an options class adds flags that interceptors or features read. */
export async function runServer(
  server: object & { readonly prototype?: never },
  options?: OptionsClass<ServerOptions>,
  settings?: ProgramSettings,
): Promise<void>;
export async function runServer(
  target: object,
  options: OptionsClass<ServerOptions> = ServerOptions,
  settings: Partial<FactorySettings<never>> = {},
): Promise<void> {
  interceptSignals();
  ignoreClosedPipes();
  try {
    process.exitCode = await run(target, options, settings);
  } catch (error) {
    process.exitCode = report(error);
  }
}

async function run(
  target: object,
  optionsClass: OptionsClass<ServerOptions>,
  settings: Partial<FactorySettings<never>>,
): Promise<number> {
  const compiled = compileTarget(target);
  const { info } = compiled;
  // The host's own options class is known to be valid, because tests check it.
  const options = describeOptions(optionsClass, info.name, isKnownToCompile || optionsClass === ServerOptions);
  const given = parseArguments(process.argv.slice(2), options);
  const { positional } = optionsClass;
  if (given.help) return print(describeProgram(optionsClass, options, compiled));
  if (given.version) return print(info.version);
  const takesPaths = options.some((option) => option.property === positional && option.path);
  const { command, operand, positionals } = selectCommand(given.positionals, { commands: COMMANDS, fallback: serve, takesPaths });
  hideSecrets(info.name, findSecrets(options, { arguments: given, positional, positionals }));
  if (command !== serve) releaseSignals();
  requireFlags(command, given);
  const chosen = await readOptions(optionsClass, options, { arguments: given, positionals, env: process.env });
  const text = findText(optionsClass, chosen);
  if (text !== undefined) return print(text);
  const invocation: Invocation = {
    server: info.name,
    operand,
    options,
    positional,
    arguments: given,
    positionals,
    chosen,
    commands: Object.keys(COMMANDS),
  };
  const log = openLog(chosen, options, compiled);
  return command.run({
    log,
    create: () => createInstance(target, settings, { chosen, log, visible: selectVisibleOptions(options, chosen) }),
    print,
    note: (text) => void process.stderr.write(`${text}\n`),
    invocation,
    machine: thisMachine(),
  });
}

/** Returns the text of `--help`. */
function describeProgram(
  optionsClass: OptionsClass<ServerOptions>,
  options: readonly Option[],
  compiled: CompiledServer,
): string {
  const { positional } = optionsClass;
  const groups = readGroups(optionsClass);
  return formatHelp({
    info: compiled.info,
    options,
    positional,
    groups,
    commands: summaries(),
    sets: describeToolSets(compiled),
  });
}

/** @throws UsageError for a flag that only other commands have */
function requireFlags({ flags = [] }: Command, { dryRun, name }: Arguments): void {
  if (dryRun && !flags.includes('dry-run')) throw new UsageError('--dry-run is only valid with install and uninstall');
  if (name !== undefined && !flags.includes('name'))
    throw new UsageError('--name is only valid with install, uninstall and config');
}

function compileTarget(target: object): CompiledServer {
  if (typeof target === 'function' && target.prototype === undefined)
    throw new TypeError('runServer needs the class of the server; pass a function that creates the object as { create }');
  return compileServer(target, [], { isKnownToCompile });
}

/** Returns the text that an option prints instead of serving. */
function findText({ prints }: OptionsClass<ServerOptions>, chosen: ServerOptions): string | undefined {
  return Object.entries(prints).find(([property]) => Reflect.get(chosen, property) === true)?.[1]();
}

async function createInstance(
  target: object,
  settings: Partial<FactorySettings<never>>,
  { chosen, ...context }: Pick<InstanceContext, 'visible' | 'log'> & { readonly chosen: ServerOptions },
): Promise<ServerInstance> {
  const server = await createServerObject(target, chosen, settings);
  try {
    return createServerInstance(server, chosen, { ...settings, ...context });
  } catch (error) {
    await disposeServer(server, settings.features).catch(() => undefined);
    throw error;
  }
}

/** Ignores closed pipes: a reader that stops early, such as `head`, or a client that is gone is not an error. */
function ignoreClosedPipes(): void {
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') process.exitCode = report(error);
  });
}

/** Masks secrets in the process title, which on Linux and macOS replaces the arguments that other users see in a process list. */
function hideSecrets(name: string, secrets: readonly string[]): void {
  const title = maskArguments(secrets, name, process.argv.slice(2));
  if (title !== undefined) process.title = title;
}

/** Opens the log and warns of environment variables that have no effect. */
function openLog(chosen: ServerOptions, options: readonly Option[], { info, formerNames }: CompiledServer): Log {
  const log = new Log({ level: chosen.logLevel, format: chosen.logFormat, write: (line) => process.stderr.write(line) });
  const problems = describeIgnoredVariables(options, { server: info.name, formerNames, env: process.env });
  for (const problem of problems) log.warning(problem);
  return log;
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
    process.stderr.write(`${escapeControls(redact(error.message))}\nSee --help.\n`);
    return 2;
  }
  const text = DefinitionError.is(error)
    ? `the definition of the server is not valid:\n${error.message}`
    : error instanceof Error
      ? error.stack
      : String(error);
  process.stderr.write(`${escapeControls(redact(text ?? ''))}\n`);
  return 1;
}

/**
 * Returns a process title that masks the secrets of a command line, because other users of the machine can list processes. Returns
 * `undefined` if there are no secrets.
 *
 * @param name name of the program
 * @param args arguments after the name
 */
function maskArguments(secrets: readonly string[], name: string, args: readonly string[]): string | undefined {
  if (secrets.length === 0) return undefined;
  const shown = args.map((arg) => (secrets.some((secret) => arg.includes(secret)) ? '***' : arg));
  return [name, ...shown].join(' ');
}
