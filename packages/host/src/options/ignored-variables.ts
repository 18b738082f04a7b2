import { findNearestName } from '@org/mcp-decorators';

import { toVariable, type Option } from './option.ts';

/** The environment of a program, and the names of its server. */
export interface ProgramEnvironment {
  /** Name of the server, which determines the names of its environment variables. */
  readonly server: string;
  /** Server names of the base classes of the server class, if they differ from `server`. */
  readonly formerNames: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Describes environment variables that were probably meant as options but have no effect: misspelled names, and names with a
 * prefix that comes from the server name of a base class.
 *
 * Other variables with the prefix of the server are not reported, because the program itself may read them, and because the prefix
 * of `mcp` is also the beginning of the prefix of `mcp-fs`.
 */
export function describeIgnoredVariables(
  options: readonly Option[],
  { server, formerNames, env }: ProgramEnvironment,
): readonly string[] {
  const known = new Set(options.map(({ variable }) => variable));
  const former = new Map(
    options.flatMap((option) => formerNames.map((name) => [toVariable(name, option.flag), option] as const)),
  );
  const set = Object.keys(env).filter((name) => env[name] !== '' && !known.has(name));
  return set.flatMap((name) => {
    const meant = findMisspelled(name, options, server);
    if (meant !== undefined) return [`the environment variable ${name} is not an option; did you mean ${meant.variable}?`];
    const renamed = former.get(name);
    if (renamed === undefined) return [];
    return [`the environment variable ${name} has no effect, because this server is called ${server}; use ${renamed.variable}`];
  });
}

function findMisspelled(name: string, options: readonly Option[], server: string): Option | undefined {
  const prefix = toVariable(server, '');
  if (!name.startsWith(prefix)) return undefined;
  const flag = name.slice(prefix.length).toLowerCase().replaceAll('_', '-');
  // `FS_READ_ONLY` after the prefix `MCP_` is an option of another server.
  if (options.some((option) => flag.endsWith(`-${option.flag}`))) return undefined;
  const near = findNearestName(
    flag,
    options.map((option) => option.flag),
  );
  // The first letter of a misspelled name is almost always right.
  return near?.[0] === flag[0] ? options.find((option) => option.flag === near) : undefined;
}
