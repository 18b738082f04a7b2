import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { ROOT } from '../workspace/run.mjs';

const SERVERS = ['fs', 'git', 'sql'];
/** VS Code and Cursor replace this variable by the directory that is open. */
const DIRECTORY = '${workspaceFolder}';
const URL_VARIABLE = 'MCP_SQL_URL';
const BLOCK = /<!-- badges -->\n.*?\n<!-- \/badges -->/s;

/** Resolves to the READMEs of the servers with their badges, whose links add the server to a client with one click. */
export async function readmesWithBadges() {
  const { CLIENTS } = await built('clients');
  const { createChanges } = await built('preparation');
  return SERVERS.map((server) => {
    const file = `servers/${server}/README.md`;
    const values = (client) => createValues(createChanges(CLIENTS[client], `mcp-${server}`, createEntry(server, client), {}));
    const block = `<!-- badges -->\n${vscodeBadge(server, values('vscode'))} ${cursorBadge(server, values('cursor'))}\n<!-- /badges -->`;
    return { file, text: readFileSync(join(ROOT, file), 'utf8').replace(BLOCK, () => block) };
  });
}

/**
 * Returns the entry with which a client starts a server. VS Code prompts the user for the URL of the SQL server; in Cursor, the
 * SQL server has sample data.
 */
function createEntry(server, client) {
  const { name } = JSON.parse(readFileSync(join(ROOT, 'servers', server, 'package.json'), 'utf8'));
  const args = server === 'sql' ? (client === 'vscode' ? [] : ['--sample']) : [DIRECTORY];
  const secrets = server === 'sql' && client === 'vscode' ? { [URL_VARIABLE]: '' } : {};
  return { command: 'npx', args: ['-y', name, ...args], env: {}, secrets, revealing: [] };
}

function createValues(changes) {
  const inputs = changes.filter(({ path }) => path[0] === 'inputs').map(({ update }) => update(undefined));
  return { inputs, entry: changes.at(-1).update(undefined) };
}

function vscodeBadge(server, { inputs, entry }) {
  const parameters = new URLSearchParams({
    name: `mcp-${server}`,
    ...(inputs.length > 0 && { inputs: JSON.stringify(inputs) }),
    config: JSON.stringify(entry),
  });
  return badge('VS Code', '0078d4', `https://insiders.vscode.dev/redirect/mcp/install?${encode(parameters)}`);
}

function cursorBadge(server, { entry }) {
  const config = Buffer.from(JSON.stringify(entry)).toString('base64');
  return badge(
    'Cursor',
    '24292f',
    `https://cursor.com/en/install-mcp?${encode(new URLSearchParams({ name: `mcp-${server}`, config }))}`,
  );
}

/**
 * Returns the query of a link. VS Code reads a plus sign as a plus sign, not as a space. A parenthesis would end the link in
 * Markdown.
 */
function encode(parameters) {
  return parameters.toString().replaceAll('+', '%20').replaceAll('(', '%28').replaceAll(')', '%29');
}

function badge(client, colour, link) {
  const label = `Install in ${client}`;
  return `[![${label}](https://img.shields.io/badge/${encodeURIComponent(label)}-${colour})](${link})`;
}

function built(name) {
  return import(pathToFileURL(join(ROOT, `packages/host/dist/cli/setup/${name}.js`)).href);
}
