import { chown, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';
import { makingOf, PASSWORD_FILE, ROLES_FILE } from './cluster.ts';
import { contentsSql, newPasswords, type Contents } from './contents.ts';
import { runWatchedInBackground } from './in-background.ts';

interface Preparing {
  readonly account: Account | undefined;
  readonly contents: Contents;
  /** Gives up. */
  readonly signal: AbortSignal;
}

/** Makes a data directory that has its contents, in the background: by a server that nobody connects to, and that has ended. */
export async function prepareCluster(
  directory: string,
  binaries: Binaries,
  { account, contents, signal }: Preparing,
): Promise<void> {
  const { password, passwordFile, command, env } = makingOf(directory, binaries, account);
  await runWatchedInBackground({ command, env, account, signal });
  await rm(passwordFile);
  const passwords = newPasswords();
  const input = `${directory}.sql`;
  await writeFile(input, inputOf(contentsSql(contents, passwords)), { mode: 0o600, flag: 'wx' });
  if (account !== undefined) await chown(input, account.uid, account.gid);
  const alone = [binaries.postgres, '--single', '-j', '-F', '-D', directory, '-c', 'exit_on_error=true', 'postgres'];
  await runWatchedInBackground({ command: alone, env, account, signal, input });
  await rm(input);
  await writeFile(path.join(directory, PASSWORD_FILE), password, { mode: 0o600 });
  await writeFile(path.join(directory, ROLES_FILE), JSON.stringify(passwords), { mode: 0o600 });
}

/** A command ends with a semicolon and an empty line, wherever that is. */
function inputOf(commands: readonly string[]): string {
  return commands
    .map(
      (command) =>
        `${command
          .replaceAll(/\n\s*\n/g, '\n')
          .trim()
          .replace(/;?$/, ';')}\n\n`,
    )
    .join('');
}
