import { parseArgs } from 'node:util';

import { stateDirectoryOf } from '@org/mcp-host';

import type { Variables } from '../variables.ts';
import { locateNative } from './binaries.ts';
import type { Contents } from './contents.ts';
import type { EmbeddedOptions } from './embedded-postgres.ts';
import { endLaunch, launchAtOnce, type Launch } from './launch.ts';
import { Template } from './template.ts';

/** What the embedded server was started with. */
interface Begun extends Contents {
  readonly stateDirectory: string;
  readonly launched: Launch;
}

type Wanted = Omit<EmbeddedOptions, 'native' | 'launched'>;

let begun: Begun | undefined;

/**
 * Starts the embedded server before the program knows its options, let alone is loaded: both take as long, and there are two processors.
 * Only where the arguments leave no doubt that the server will be asked for; others begin when they are understood.
 */
export function beginEmbedded(argv: readonly string[], env: Variables): void {
  if (Object.keys(env).some((name) => name.startsWith('MCP_SQL_'))) return;
  try {
    const { 'state-dir': stateDir, sample = false, writable = false } = parseArgs({ args: [...argv], options: UNDOUBTED }).values;
    const stateDirectory = stateDirectoryOf('mcp-sql', stateDir === undefined ? {} : { stateDir });
    const contents = { sample, writable };
    const launched = launchAtOnce({ native: locateNative() }, new Template(stateDirectory, contents));
    if (launched !== undefined) begun = { ...contents, stateDirectory, launched };
  } catch {
    // There are other arguments, or it cannot be started: whoever reads them all says what is wrong.
  }
}

/** The server that was started with these options; once. */
export function takeBegun({ dataDir, stateDirectory, sample = false, writable = false, settings }: Wanted): Launch | undefined {
  const taken = begun;
  if (taken?.stateDirectory !== stateDirectory || dataDir !== undefined || settings !== undefined) return undefined;
  if (taken?.sample !== sample || taken.writable !== writable) return undefined;
  begun = undefined;
  return taken.launched;
}

/** Ends a server that nobody asked for. */
export async function endBegun(): Promise<void> {
  const left = begun;
  begun = undefined;
  if (left !== undefined) await endLaunch(left.launched);
}

/** Options that do not keep the embedded server, its data temporary, from being what is asked for. */
const UNDOUBTED = {
  sample: { type: 'boolean' },
  writable: { type: 'boolean' },
  'state-dir': { type: 'string' },
  tools: { type: 'string' },
  'disable-tools': { type: 'string' },
  'log-level': { type: 'string' },
  http: { type: 'string' },
} as const;
