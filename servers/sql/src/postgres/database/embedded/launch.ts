import path from 'node:path';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

import { serverAccount, type Account } from './account.ts';
import { isRunnable, linkBinaries, prepareBinaries, type Binaries } from './binaries.ts';
import { createCluster, openPersistentCluster, planCluster, type Cluster, type ClusterCreation } from './cluster.ts';
import { RunDirectory } from './run-directory.ts';
import type { Template } from './template.ts';

/** A server that was started, but may not accept connections yet. */
export interface Launch {
  readonly run: RunDirectory;
  readonly binaries: Binaries;
  readonly account: Account | undefined;
  readonly cluster: Cluster;
  readonly server: WatchedServer;
}

/** Options for the start of the server's process. */
export interface LaunchOptions {
  /** Directory of the package that contains the PostgreSQL programs, as returned by `locateNative`. */
  readonly native: string;
  /** Directory in which the data persists. Default: a temporary directory, which is removed with the server. */
  readonly dataDir?: string | undefined;
  /** Settings of the server. They override the defaults of this package. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
}

/**
 * Starts a server with temporary data synchronously, on the spare or on a new data directory. Later work on this thread cannot
 * delay the start. Returns `undefined` if the programs or the template must be copied first, which only `launch` does.
 */
export function launchAtOnce({ native, settings }: LaunchOptions, template: Template): Launch | undefined {
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
  { native, account, settings }: LaunchOptions & Pick<Launch, 'account'>,
  template: Template,
): Launch | undefined {
  const directory = path.join(run.server, 'data');
  const spare = template.claimSpare(directory);
  // Another process took the spare, or the spare is on another file system. `launch` then copies the template, which is faster
  // than initdb.
  if (spare === undefined && template.exists) return undefined;
  const binaries = linkBinaries(native, run.server);
  const creation = spare === undefined ? planCluster(directory, binaries, account) : undefined;
  const cluster = spare ?? { directory, password: creation?.password ?? '' };
  const server = WatchedServer.spawn(serverCommand(run, { cluster, binaries, account, temporary: true, creation, settings }));
  return { run, binaries, account, cluster, server };
}

// If the removal fails, the next start removes the directory.
async function abandon(run: RunDirectory): Promise<void> {
  await run[Symbol.asyncDispose]().catch(() => undefined);
}

/** Starts a server on temporary or persistent data. */
export async function launch({ native, settings, dataDir }: LaunchOptions, template: Template | undefined): Promise<Launch> {
  const account = serverAccount();
  const run = RunDirectory.create(account);
  try {
    await run.listening;
    const binaries = await prepareBinaries(native, run.server, account);
    const temporary = dataDir === undefined;
    const cluster = temporary
      ? await temporaryCluster(path.join(run.server, 'data'), { binaries, account, template })
      : await openPersistentCluster(path.resolve(dataDir), binaries, account);
    const server = WatchedServer.spawn(serverCommand(run, { cluster, binaries, account, temporary, settings }));
    return { run, binaries, account, cluster, server };
  } catch (error) {
    await run[Symbol.asyncDispose]();
    throw error;
  }
}

/** Stops the server and removes its run directory. */
export async function endLaunch({ server, run }: Launch): Promise<void> {
  await server.stop();
  await run[Symbol.asyncDispose]();
}

async function temporaryCluster(
  directory: string,
  { binaries, account, template }: Pick<Launch, 'binaries' | 'account'> & { readonly template: Template | undefined },
): Promise<Cluster> {
  const prepared = template?.claimSpare(directory) ?? (await template?.copyTo(directory));
  return prepared ?? createCluster(directory, binaries, account);
}

interface ServerOptions {
  readonly cluster: Cluster;
  readonly binaries: Binaries;
  readonly account: Account | undefined;
  readonly temporary: boolean;
  /** How the data directory is created before the server starts. Absent if the data directory exists. */
  readonly creation?: ClusterCreation | undefined;
  /** Settings that override the defaults of this package. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
}

/** Returns the command that runs the server in a run directory. */
function serverCommand(run: RunDirectory, options: ServerOptions): WatchedCommand {
  const { cluster, binaries, account, temporary, creation, settings: given } = options;
  const settings = {
    ...SETTINGS,
    unix_socket_directories: run.server,
    port: run.port,
    ...(temporary && TEMPORARY_SETTINGS),
    ...given,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const command = [binaries.postgres, '-D', cluster.directory, ...flags];
  return {
    command: creation === undefined ? command : [...creationPrefix(creation, run), ...command],
    env: { ...binaries.env, LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' },
    account,
    temporary: run.path,
  };
}

/** Returns a prefix for the server's command that creates the data directory first. The server does not start if its end was requested. */
function creationPrefix({ command, passwordFile }: ClusterCreation, run: RunDirectory): readonly string[] {
  const ended = `${run.path}/${END_MARKER}`;
  const script = `${command.map(quoteForShell).join(' ')} >/dev/null && rm -f ${quoteForShell(passwordFile)} && [ ! -e ${quoteForShell(ended)} ] && exec "$@"`;
  return ['/bin/sh', '-c', script, 'mcp-sql-initdb'];
}

function quoteForShell(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

const SETTINGS = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: 120,
  shared_buffers: '64MB',
  wal_level: 'minimal',
  max_wal_senders: 0,
  logging_collector: 'off',
  lc_messages: 'C',
};

/** Settings for temporary data, which need no protection from a crash. */
const TEMPORARY_SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // The data are in the page cache, so I/O workers would only delay the start.
  io_method: 'sync',
  max_logical_replication_workers: 0,
};

/** File in the run directory that marks that the server must end. A shell that still runs initdb then does not start the server. */
const END_MARKER = 'server/ended';

/**
 * Starts the server and blocks on a pipe from this process. When the pipe closes, even by SIGKILL of this process, the script
 * stops the server and removes the directory. If the directory belongs to root, the script removes only what the server's account
 * may remove. A server that is still starting does not handle signals yet, so the script repeats the signal. A backend that does
 * not check for interrupts would delay the shutdown. Therefore the script requests an immediate shutdown after 10 s, after which
 * the next start runs crash recovery. A signal to all processes of a service reaches the script, too. The script ignores that
 * signal, because closing the pipe ends the server. The script's background commands inherit the ignored signal, except the
 * server, which installs its own handler.
 */
const WATCHDOG = `
trap '' TERM INT HUP
directory=$1; shift
exec 3<&0
"$@" </dev/null 3<&- & server=$!
end() { for _ in 1 2 3 4 5 6 7 8 9 10; do kill -INT "$server" || return; sleep 1; done; while kill -QUIT "$server"; do sleep 1; done; }
{ read -r _ <&3; echo >"$directory/${END_MARKER}"; end; } 2>/dev/null & reader=$!
wait "$server"; status=$?
kill -KILL "$reader" 2>/dev/null
rm -rf "$directory/server" "$directory" 2>/dev/null
exit "$status"
`;

const READY = 'database system is ready to accept connections';

/** The command line of the server, and what must be removed after its end. */
interface WatchedCommand {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly account: Account | undefined;
  /** Directory that is removed after the server has ended. */
  readonly temporary: string;
}

/** A running server that ends with this process, even if this process is killed. */
export class WatchedServer {
  readonly #watchdog: ChildProcess;
  readonly #exited: Promise<unknown>;

  /** Resolves when the server accepts connections. Rejects with the last error of its log if the server ends before that. */
  readonly ready: Promise<void>;

  private constructor(watchdog: ChildProcess, stderr: Readable) {
    this.#watchdog = watchdog;
    this.#exited = once(watchdog, 'exit').catch(() => undefined);
    // Closing the pipe fails if the watchdog has already ended.
    watchdog.stdin?.on('error', () => undefined);
    this.ready = ready(stderr);
    this.ready.catch(() => undefined);
  }

  static spawn({ command, env, account, temporary }: WatchedCommand): WatchedServer {
    const watchdog = spawn('/bin/sh', ['-c', WATCHDOG, 'mcp-sql-watchdog', temporary, ...command], {
      stdio: ['pipe', 'ignore', 'pipe'],
      env,
      cwd: '/',
      // The watchdog gets its own session, so that Ctrl-C in a terminal reaches only this process, which then stops the server cleanly.
      detached: true,
      ...account,
    });
    return new WatchedServer(watchdog, watchdog.stderr);
  }

  async stop(): Promise<void> {
    this.#watchdog.stdin?.end();
    await this.#exited;
  }
}

function ready(stderr: Readable): Promise<void> {
  return new Promise((resolve, reject) => {
    let lastError = 'the server ended without an error message';
    const lines = createInterface({ input: stderr });
    lines.on('line', (line) => {
      if (line.includes(READY)) resolve();
      if (/\b(FATAL|HINT|PANIC|error)\b/.test(line)) lastError = line;
    });
    lines.once('close', () => reject(new Error(lastError)));
  });
}
