import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';

import type { ConnectionTarget } from './connection-url.ts';
import type { Variables } from './variables.ts';

/** Sources of a password besides the URL. */
export interface PasswordSources {
  /** A file whose first line is the password. */
  readonly passwordFile: string | undefined;
  readonly variables: Variables;
}

/**
 * Returns the password of a target: from the URL, from `passwordFile`, from `PGPASSWORD`, or from libpq's password file. Every
 * connection reads the password again, because a file may have changed.
 *
 * @throws ToolError CONNECTION if no password is found, or if `passwordFile` cannot be read
 */
export async function findPassword(target: ConnectionTarget, { passwordFile, variables }: PasswordSources): Promise<string> {
  if (target.password !== undefined) return target.password;
  if (passwordFile !== undefined) return readFirstLine(passwordFile);
  return variables['PGPASSWORD'] || readPassfile(target, variables);
}

async function readFirstLine(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw missing(`the password file cannot be read: ${error.code ?? 'the path is invalid'}`, error);
  });
  return text.replace(/\r?\n[^]*$/, '');
}

async function readPassfile(target: ConnectionTarget, variables: Variables): Promise<string> {
  const file = target.parameters.passfile ?? defaultPassfile(variables);
  const unknown = `the database requires a password for ${target.user}, but no password was given`;
  const facts = await stat(file).catch(() => undefined);
  if (facts === undefined) throw missing(unknown);
  // libpq also ignores password files that other users may read.
  if (process.platform !== 'win32' && (facts.mode & 0o077) !== 0)
    throw missing(`${unknown}; the password file was ignored because other users may read it`);
  const found = matchPassfileLine(await readFile(file, 'utf8'), target);
  if (found === undefined) throw missing(unknown);
  return found;
}

/**
 * Returns the password of the first line `host:port:database:user:password` that matches, or `undefined`. `*` matches every value; a
 * backslash escapes a colon.
 */
function matchPassfileLine(text: string, { host, port, database, user }: ConnectionTarget): string | undefined {
  const wanted = [host.startsWith('/') ? 'localhost' : host, String(port), database, user];
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('#')) continue;
    const fields = (line.match(/(?:[^:\\]|\\.?)*(?::|$)/g) ?? []).map((field) =>
      field.replace(/:$/, '').replaceAll(/\\(.)/g, '$1'),
    );
    if (wanted.every((value, index) => fields[index] === '*' || fields[index] === value)) return fields[wanted.length];
  }
  return undefined;
}

function defaultPassfile({ APPDATA }: Variables): string {
  return process.platform === 'win32' && APPDATA !== undefined
    ? path.join(APPDATA, 'postgresql', 'pgpass.conf')
    : path.join(homedir(), '.pgpass');
}

function missing(message: string, cause?: unknown): ToolError {
  return new ToolError('CONNECTION', message, {
    cause,
    hint: 'put the password into the connection URL, a file for --password-file, PGPASSWORD or ~/.pgpass',
    data: { reason: 'auth', retryable: false },
  });
}
