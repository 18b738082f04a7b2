import type { Machine } from '../../process/machine.ts';
import type { Entry } from './entry.ts';

/** Formats the `claude mcp add` command, which adds the server only for the current user in the current project. */
export function formatClaudeCommand(
  name: string,
  { command, args, env, secrets }: Entry,
  { platform }: Pick<Machine, 'platform'>,
): string {
  const isWindows = platform === 'win32';
  const quote = isWindows ? quoteForWindows : quoteForShell;
  const variables = [
    ...Object.entries(env).map(([variable, value]) => quote(`${variable}=${value}`)),
    // Refers to the secret by a variable, so that the shell history does not contain the secret itself.
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
