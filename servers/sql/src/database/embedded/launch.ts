import path from 'node:path';

import { serverAccount, type Account } from './account.ts';
import { isRunnable, linkBinaries, prepareBinaries, type Binaries } from './binaries.ts';
import { createCluster, keptCluster, makingOf, type Cluster } from './cluster.ts';
import type { EmbeddedOptions } from './embedded-postgres.ts';
import { RunDirectory } from './run-directory.ts';
import { serverCommand } from './server-command.ts';
import type { Template } from './template.ts';
import { WatchedServer } from './watched-server.ts';

/** A server that was started, and is not known to be ready. */
export interface Launch {
  readonly run: RunDirectory;
  readonly binaries: Binaries;
  readonly account: Account | undefined;
  readonly cluster: Cluster;
  readonly server: WatchedServer;
}

type Launching = Pick<EmbeddedOptions, 'native' | 'settings' | 'dataDir'>;

/**
 * Starts a server with temporary data before this returns, on the spare or on what initdb makes for it; `undefined` where that is not
 * the shortest way. What else the process does from then on, however busy, does not keep it waiting.
 */
export function launchAtOnce({ native, settings }: Launching, template: Template): Launch | undefined {
  const account = serverAccount();
  if ((template.exists && !template.hasSpare) || !isRunnable(native, account)) return undefined;
  const run = RunDirectory.create(account);
  try {
    const launched = launchIn(run, { native, account, settings }, template);
    if (launched === undefined) void abandon(run);
    return launched;
  } catch (error) {
    void abandon(run);
    throw error;
  }
}

function launchIn(
  run: RunDirectory,
  { native, account, settings }: Launching & Pick<Launch, 'account'>,
  template: Template,
): Launch | undefined {
  const directory = path.join(run.server, 'data');
  const spare = template.claimSpare(directory);
  // Another start was faster, or the spare is on another disk: copying the template is shorter than initdb.
  if (spare === undefined && template.exists) return undefined;
  const binaries = linkBinaries(native, run.server);
  const making = spare === undefined ? makingOf(directory, binaries, account) : undefined;
  const cluster = spare ?? { directory, password: making?.password ?? '' };
  const server = WatchedServer.spawn(serverCommand(run, { cluster, binaries, account, temporary: true, making, settings }));
  return { run, binaries, account, cluster, server };
}

// Whoever comes next removes what this may leave.
async function abandon(run: RunDirectory): Promise<void> {
  await run[Symbol.asyncDispose]().catch(() => undefined);
}

/** Starts a server on whatever data it is to have. */
export async function launch({ native, settings, dataDir }: Launching, template: Template | undefined): Promise<Launch> {
  const account = serverAccount();
  const run = RunDirectory.create(account);
  try {
    await run.listening;
    const binaries = await prepareBinaries(native, run.server, account);
    const temporary = dataDir === undefined;
    const cluster = temporary
      ? await temporaryCluster(path.join(run.server, 'data'), { binaries, account, template })
      : await keptCluster(path.resolve(dataDir), binaries, account);
    const server = WatchedServer.spawn(serverCommand(run, { cluster, binaries, account, temporary, settings }));
    return { run, binaries, account, cluster, server };
  } catch (error) {
    await run[Symbol.asyncDispose]();
    throw error;
  }
}

/** Stops the server, and removes what belongs to it. */
export async function endLaunch({ server, run }: Launch): Promise<void> {
  await server.stop();
  await run[Symbol.asyncDispose]();
}

async function temporaryCluster(
  directory: string,
  { binaries, account, template }: Pick<Launch, 'binaries' | 'account'> & { readonly template: Template | undefined },
): Promise<Cluster> {
  const kept = template?.claimSpare(directory) ?? (await template?.copyTo(directory));
  return kept ?? createCluster(directory, binaries, account);
}
