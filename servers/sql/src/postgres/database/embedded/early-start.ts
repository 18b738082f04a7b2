import { parseArgs } from 'node:util';

import { resolveStateDirectory } from '@org/mcp-host';

import type { Variables } from '../libpq/variables.ts';
import { locateNative } from './binaries.ts';
import type { Contents } from './contents.ts';
import type { EmbeddedOptions } from './embedded-postgres.ts';
import { endLaunch, launchAtOnce, type Launch } from './launch.ts';
import { Template } from './template.ts';

/** An embedded server that was started before the options were parsed, and the options that the start assumed. */
interface EarlyStart extends Contents {
  readonly stateDirectory: string;
  readonly launched: Launch;
}

type StartOptions = Omit<EmbeddedOptions, 'native' | 'launched'>;

let earlyStart: EarlyStart | undefined;

/**
 * Starts the embedded server before the program is loaded and its options are parsed. Loading takes about as long as starting the
 * server, and both run in parallel. Does nothing if an environment variable with the prefix `MCP_SQL_` is set, or unless the
 * arguments certainly select the embedded server.
 */
export function startEarly(argv: readonly string[], env: Variables): void {
  if (Object.keys(env).some((name) => name.startsWith('MCP_SQL_'))) return;
  try {
    const {
      'state-dir': stateDir,
      sample = false,
      writable = false,
    } = parseArgs({ args: [...argv], options: EMBEDDED_OPTIONS }).values;
    const stateDirectory = resolveStateDirectory('mcp-sql', stateDir === undefined ? {} : { stateDir });
    const contents = { sample, writable };
    const launched = launchAtOnce({ native: locateNative() }, new Template(stateDirectory, contents));
    if (launched !== undefined) earlyStart = { ...contents, stateDirectory, launched };
  } catch {
    // Either the arguments do not select the embedded server, or the server cannot be started. The program reports the error later.
  }
}

/** Returns the server if it was started with these options, otherwise `undefined`. Returns a server at most once. */
export function takeEarlyStart({
  dataDir,
  stateDirectory,
  sample = false,
  writable = false,
  settings,
}: StartOptions): Launch | undefined {
  const taken = earlyStart;
  if (taken?.stateDirectory !== stateDirectory || dataDir !== undefined || settings !== undefined) return undefined;
  if (taken?.sample !== sample || taken.writable !== writable) return undefined;
  earlyStart = undefined;
  return taken.launched;
}

/** Ends the server that `startEarly` started, unless `takeEarlyStart` returned that server. */
export async function endEarlyStart(): Promise<void> {
  const left = earlyStart;
  earlyStart = undefined;
  if (left !== undefined) await endLaunch(left.launched);
}

/** Options with which the embedded server on temporary data may be started early. Any other option prevents the early start. */
const EMBEDDED_OPTIONS = {
  sample: { type: 'boolean' },
  writable: { type: 'boolean' },
  'state-dir': { type: 'string' },
  tools: { type: 'string' },
  'disable-tools': { type: 'string' },
  'log-level': { type: 'string' },
  http: { type: 'string' },
} as const;
