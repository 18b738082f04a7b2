import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { createClientFiles } from '../release/client-files.mjs';
import { ROOT, run } from '../workspace/run.mjs';

/**
 * Returns the problems of the files by which clients install the servers from this repository: files that differ from the packages,
 * and options that a program does not have.
 */
export async function findClientFileProblems() {
  const files = Object.entries(createClientFiles());
  const outdated = files.filter(([path, value]) => !isDeepStrictEqual(readIfExists(path), value));
  const entries = files.flatMap(([path, { mcpServers = {} }]) =>
    Object.entries(mcpServers).map(([name, entry]) => ({ path, name, entry })),
  );
  return [
    ...outdated.map(([path]) => `${path} differs from the packages; "npm run release:files" updates this file`),
    ...(await Promise.all(entries.map(findOptionProblems))).flat(),
  ];
}

async function findOptionProblems({ path, name, entry: { args, env = {} } }) {
  const server = name.replace(/^mcp-/, '');
  const { output } = await run('node', [`servers/${server}/bin/${name}.js`, '--help']);
  const flags = args.filter((arg) => arg.startsWith('--')).map((arg) => arg.split('=')[0]);
  const prefix = `MCP_${server.toUpperCase()}_`;
  return [
    ...flags
      .filter((flag) => !new RegExp(`^ {2}${flag}\\b`, 'm').test(output))
      .map((flag) => `${path}: ${name} has no option ${flag}`),
    ...Object.keys(env)
      .filter((variable) => !variable.startsWith(prefix))
      .map((variable) => `${path}: ${name} does not read ${variable}`),
  ];
}

function readIfExists(path) {
  const file = join(ROOT, path);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}
