import { isBuiltin } from 'node:module';

import { UsageError } from './usage-error.ts';

/** The name of a package, and the names in its files that are derived from that name. */
export interface Names {
  /** Name of the npm package, such as `@acme/weather-station`. */
  readonly package: string;
  /** Name of the server and, by default, of the directory of the package: `weather-station`. */
  readonly server: string;
  /** Name of the server class: `WeatherStationServer`. */
  readonly class: string;
}

const MAX_LENGTH = 214;
const PACKAGE_NAME = /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/;
const RESERVED = new Set(['node_modules', 'favicon.ico']);

/** Derives the names of a new package. @throws UsageError if npm would reject the name of the package */
export function deriveNames(name: string): Names {
  const problem = findProblem(name);
  if (problem !== undefined)
    throw new UsageError(
      `${JSON.stringify(name)} is not a valid package name: ${problem}; choose a name such as weather or @acme/weather`,
    );
  const server = name.slice(name.indexOf('/') + 1);
  return { package: name, server, class: nameClass(server) };
}

function findProblem(name: string): string | undefined {
  if (name.length > MAX_LENGTH) return `it has more than ${MAX_LENGTH} characters`;
  if (!PACKAGE_NAME.test(name))
    return 'it must consist of lowercase letters, digits, ".", "_" and "-", and begin with a letter or a digit';
  if (RESERVED.has(name) || isBuiltin(name)) return 'it is reserved by npm or Node.js';
  return undefined;
}

/** Derives the name of the server class without the words "mcp" and "server": `mcp-weather` results in `WeatherServer`. */
function nameClass(server: string): string {
  const words = server.split(/[._-]+/).filter((word) => word !== '' && word !== 'mcp' && word !== 'server');
  const subject = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  // An identifier cannot begin with a digit, and no word may remain.
  return `${/^[A-Z]/.test(subject) ? '' : 'My'}${subject}Server`;
}
