import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../workspace/run.mjs';

const SERVERS = ['fs', 'git', 'sql'];
const OWNER = { name: 'The maintainers of the MCP servers' };

/** Arguments of each server in a client that starts the server in the directory of a project. */
const IN_PROJECT = { fs: ['--roots=overlap', '.'], git: ['--roots=overlap', '.'], sql: [] };
/** Gemini CLI replaces the variable by the directory of the project. */
const IN_WORKSPACE = { fs: ['${workspacePath}'], git: ['${workspacePath}'], sql: [] };

const URL_SETTING = 'Connection URL such as postgres://reader@localhost/shop';

/**
 * Returns the files by which clients install the servers from this repository, as values by path: the marketplace and the plugins
 * of Claude Code, and the extension of Gemini CLI. They repeat facts of the packages, so they are generated.
 */
export function createClientFiles() {
  const manifests = Object.fromEntries(SERVERS.map((server) => [server, readManifest(`servers/${server}`)]));
  return {
    '.claude-plugin/marketplace.json': createMarketplace(manifests),
    ...Object.fromEntries(
      SERVERS.map((server) => [`plugins/mcp-${server}/.claude-plugin/plugin.json`, createPlugin(server, manifests[server])]),
    ),
    'gemini-extension.json': createExtension(manifests),
  };
}

function createMarketplace(manifests) {
  return {
    name: 'mcp-servers',
    description: readManifest('.').description,
    owner: OWNER,
    plugins: SERVERS.map((server) => ({
      name: `mcp-${server}`,
      source: `./plugins/mcp-${server}`,
      description: manifests[server].description,
      version: manifests[server].version,
      license: manifests[server].license,
    })),
  };
}

function createPlugin(server, { name, version, description, homepage, repository, license, keywords }) {
  const settings = {
    url: { type: 'string', title: 'Connection URL', description: URL_SETTING, sensitive: true, required: true },
  };
  return {
    name: `mcp-${server}`,
    version,
    description,
    author: OWNER,
    homepage,
    repository: repository.url.replace(/^git\+|\.git$/g, ''),
    license,
    keywords,
    ...(server === 'sql' ? { userConfig: settings } : {}),
    mcpServers: {
      [`mcp-${server}`]: {
        command: 'npx',
        args: ['-y', `${name}@${version}`, ...IN_PROJECT[server]],
        ...(server === 'sql' ? { env: { MCP_SQL_URL: '${user_config.url}' } } : {}),
      },
    },
  };
}

function createExtension(manifests) {
  const entries = SERVERS.map((server) => {
    const { name, version } = manifests[server];
    const env = server === 'sql' ? { env: { MCP_SQL_URL: '${MCP_SQL_URL:-}' } } : {};
    return [`mcp-${server}`, { command: 'npx', args: ['-y', `${name}@${version}`, ...IN_WORKSPACE[server]], ...env }];
  });
  return {
    name: 'mcp-servers',
    version: manifests.fs.version,
    description: readManifest('.').description,
    settings: [{ name: 'Connection URL', description: URL_SETTING, envVar: 'MCP_SQL_URL', sensitive: true }],
    mcpServers: Object.fromEntries(entries),
  };
}

function readManifest(directory) {
  return JSON.parse(readFileSync(join(ROOT, directory, 'package.json'), 'utf8'));
}
