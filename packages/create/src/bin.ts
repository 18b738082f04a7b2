#!/usr/bin/env node
import path from 'node:path';

import { HELP, parseCommandLine } from './command-line.ts';
import { createPackage } from './create-package.ts';
import { deriveNames, type Names } from './names.ts';
import { OWN_MANIFEST } from './own-manifest.ts';
import { UsageError } from './usage-error.ts';

try {
  process.stdout.write(`${run(process.argv.slice(2))}\n`);
} catch (error) {
  const isUsageError = error instanceof UsageError;
  process.exitCode = isUsageError ? 2 : 1;
  const text = error instanceof Error ? error.message : String(error);
  process.stderr.write(isUsageError ? `${text}\nSee --help.\n` : `${text}\n`);
}

/** Runs the program and returns its output. */
function run(args: readonly string[]): string {
  const { positionals, directory, help, version } = parseCommandLine(args);
  if (help === true) return HELP;
  if (version === true) return OWN_MANIFEST.version;
  const [name, extra] = positionals;
  if (name === undefined) throw new UsageError('the name of the new package is missing');
  if (extra !== undefined) throw new UsageError(`${JSON.stringify(extra)} is unexpected: only one name can be given`);
  const names = deriveNames(name);
  const target = path.resolve(directory ?? names.server);
  createPackage(target, names);
  return describeNextSteps(names, path.relative('', target));
}

function describeNextSteps(names: Names, directory: string): string {
  const commands = [
    ...(directory === '' ? [] : [`cd ${/\s/.test(directory) ? `"${directory}"` : directory}`]),
    'npm install',
    'npm test',
    'npm run build',
    'node dist/main.js config claude-code',
  ];
  return [
    `Created ${names.package} in ${directory === '' ? 'this directory' : directory}. Next, run:`,
    commands.map((command) => `  ${command}`).join('\n'),
    'The last command prints the entry for Claude Code. README.md lists the other\ncommands and clients. The server is the class in src/server.ts.',
  ].join('\n\n');
}
