import { parseArgs } from 'node:util';

import { UsageError } from './usage-error.ts';

/** The text of `--help`. */
export const HELP = `Usage: npm create @org/mcp NAME [-- --directory DIR]
       npx @org/create-mcp NAME [--directory DIR]

Creates the package of a small MCP server that builds, passes its tests and can
be bundled into one file.

  NAME             Name of the new package, such as weather or @acme/weather
  --directory DIR  Directory of the package, which must be empty or not exist
                   (default: NAME without the scope)
  -h, --help       Show this help
  -V, --version    Show the version`;

/** The parsed command line. */
export interface CommandLine {
  /** Arguments without a flag. */
  readonly positionals: readonly string[];
  readonly directory?: string | undefined;
  readonly help?: boolean | undefined;
  readonly version?: boolean | undefined;
}

/** Parses the command line. @throws UsageError for an unknown option or a missing value */
export function parseCommandLine(args: readonly string[]): CommandLine {
  try {
    const { positionals, values } = parseArgs({
      args: [...args],
      options: {
        directory: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'V' },
      },
      allowPositionals: true,
    });
    return { positionals, ...values };
  } catch (error) {
    // The first sentence names the mistake; Node.js appends advice that does not apply here.
    const [mistake = ''] = String(error instanceof Error ? error.message : error).split('. ');
    throw new UsageError(mistake, { cause: error });
  }
}
