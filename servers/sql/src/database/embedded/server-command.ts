import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';
import type { Cluster, Making } from './cluster.ts';
import type { RunDirectory } from './run-directory.ts';
import { ENDED, type WatchedCommand } from './watched-server.ts';

interface Prepared {
  readonly cluster: Cluster;
  readonly binaries: Binaries;
  readonly account: Account | undefined;
  readonly temporary: boolean;
  /** What is to be run before, where there is no data directory yet. */
  readonly making?: Making | undefined;
  /** Over ours. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
}

/** What runs the server in the directory of a run. */
export function serverCommand(run: RunDirectory, prepared: Prepared): WatchedCommand {
  const { cluster, binaries, account, temporary, making, settings: given } = prepared;
  const settings = { ...SETTINGS, unix_socket_directories: run.server, port: run.port, ...(temporary && TEMPORARY), ...given };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const command = [binaries.postgres, '-D', cluster.directory, ...flags];
  return {
    command: making === undefined ? command : [...madeBefore(making, run), ...command],
    env: { ...binaries.env, LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' },
    account,
    temporary: run.path,
  };
}

/** Words before a command, by which a data directory is made before it is run. */
function madeBefore({ command, passwordFile }: Making, run: RunDirectory): readonly string[] {
  const ended = `${run.path}/${ENDED}`;
  const script = `${command.map(quoted).join(' ')} >/dev/null && rm -f ${quoted(passwordFile)} && [ ! -e ${quoted(ended)} ] && exec "$@"`;
  return ['/bin/sh', '-c', script, 'mcp-sql-initdb'];
}

function quoted(word: string): string {
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

/** Data that does not outlive the process needs no protection from a crash. */
const TEMPORARY = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // What is in memory anyway needs no processes that read ahead, which a start would wait for.
  io_method: 'sync',
  max_logical_replication_workers: 0,
};
