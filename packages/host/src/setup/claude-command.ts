import type { Entry } from './entry.ts';
import type { Machine } from './machine.ts';

/** The line by which `claude` is told of a server, for its user alone. */
export function claudeCommand(
  name: string,
  { command, args, env, secrets }: Entry,
  { platform }: Pick<Machine, 'platform'>,
): string {
  const isWindows = platform === 'win32';
  const quote = isWindows ? quoteForWindows : quoteForShell;
  const variables = [
    ...Object.entries(env).map(([variable, value]) => quote(`${variable}=${value}`)),
    // In the history of the shell its name does no harm.
    ...Object.keys(secrets).map((variable) => (isWindows ? `${variable}=%${variable}%` : `${variable}="$${variable}"`)),
  ];
  const program = isWindows && command === 'npx' ? ['cmd', '/c', command, ...args] : [command, ...args];
  return ['claude mcp add', name, ...variables.map((variable) => `--env ${variable}`), '--', ...program.map(quote)].join(' ');
}

function quoteForShell(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function quoteForWindows(text: string): string {
  return /^[\w@+=:,./\\-]+$/.test(text) ? text : `"${text.replaceAll('"', String.raw`\"`)}"`;
}
