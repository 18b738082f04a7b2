import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';

import type { ConnectionTarget } from './connection-url.ts';
import type { Variables } from './variables.ts';

/** Where a password is looked for besides the URL. */
export interface PasswordPlaces {
  /** A file that holds nothing but the password. */
  readonly passwordFile: string | undefined;
  readonly variables: Variables;
}

/**
 * The password of a target: of the URL, of the file that holds it, of `PGPASSWORD`, or of libpq's password file. Looked for at each
 * connect, because a file may have changed.
 *
 * @throws ToolError CONNECTION if there is none
 */
export async function passwordOf(target: ConnectionTarget, { passwordFile, variables }: PasswordPlaces): Promise<string> {
  if (target.password !== undefined) return target.password;
  if (passwordFile !== undefined) return firstLine(passwordFile);
  return variables['PGPASSWORD'] || fromPassfile(target, variables);
}

async function firstLine(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw missing(`the password file cannot be read: ${error.code ?? 'it is none'}`, error);
  });
  return text.replace(/\r?\n[^]*$/, '');
}

async function fromPassfile(target: ConnectionTarget, variables: Variables): Promise<string> {
  const file = target.parameters.passfile ?? defaultPassfile(variables);
  const unknown = `the database asks for the password of ${target.user}, and none was given`;
  const facts = await stat(file).catch(() => undefined);
  if (facts === undefined) throw missing(unknown);
  // As libpq has it: what others may read is no place for passwords.
  if (process.platform !== 'win32' && (facts.mode & 0o077) !== 0)
    throw missing(`${unknown}; the password file was left out because others may read it`);
  const found = passwordIn(await readFile(file, 'utf8'), target);
  if (found === undefined) throw missing(unknown);
  return found;
}

/** Of the first line `host:port:database:user:password` that fits; `*` fits all, and a backslash keeps a colon from dividing. */
function passwordIn(text: string, { host, port, database, user }: ConnectionTarget): string | undefined {
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
    hint: 'put it into the connection URL, into a file for --password-file, into PGPASSWORD or into ~/.pgpass',
    data: { reason: 'auth', retryable: false },
  });
}
