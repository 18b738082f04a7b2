import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { arch, platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * A server that needs a newer Node.js than this project. For the first measurement, npm installs this version and the latest
 * Node.js 22.
 */
const NEWER = '@bytebase/dbhub@1.4.0';
const NODE = `node-${platform()}-${arch()}`;

// The package has no module to import, so its program is located by its path.
const SERVER_POSTGRES = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/server-postgres/dist/index.js', import.meta.url),
);

/** Returns the program and the arguments of each compared server. */
export function referenceServers() {
  return {
    'server-postgres': (url) => ({ command: process.execPath, args: [SERVER_POSTGRES, url] }),
    dbhub: newerServer(),
  };
}

function newerServer() {
  const directory = join(tmpdir(), `mcp-bench-${NEWER.replaceAll(/\W/g, '-')}`);
  if (!existsSync(directory)) install(directory);
  const modules = join(directory, 'node_modules');
  const entry = join(modules, '@bytebase/dbhub/dist/index.js');
  return (url) => ({ command: join(modules, NODE, 'bin/node'), args: [entry, '--transport', 'stdio', '--dsn', url] });
}

function install(directory) {
  console.log(`Installing ${NEWER} in ${directory}`);
  const unfinished = `${directory}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  execFileSync(
    'npm',
    ['install', '--prefix', unfinished, '--no-audit', '--no-fund', '--ignore-scripts', '--no-engine-strict', `${NODE}@22`, NEWER],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  renameSync(unfinished, directory);
}
