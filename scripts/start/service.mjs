import { once } from 'node:events';

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { FilesystemOptions, FilesystemServer } from '@org/mcp-fs';
import { GitOptions, GitServer } from '@org/mcp-git';
import { serveHttp } from '@org/mcp-host';
import { PostgresOptions, PostgresServer } from '@org/mcp-sql';

import { styled, title } from './display.mjs';

/** Default port, which is used if it is free, so that URLs that a user has entered in a client remain valid. */
const USUAL_PORT = 8765;

/**
 * Serves files, git (with `hasHistory`) and SQL in this process while `work` runs, each at its own path. `work` receives the URLs
 * by name. Without `port`, the default port is used, or any free port if the default port is in use.
 */
export async function withService({ checkout, hasHistory, port }, work) {
  const servers = serversFor(checkout, hasHistory);
  const mounts = Object.fromEntries(Object.entries(servers).map(([name, server]) => [`/${name}/mcp`, server]));
  let service;
  try {
    for (const server of Object.values(servers)) await server.open();
    service = await serveAt(mounts, port);
    await work(Object.fromEntries(Object.keys(servers).map((name) => [name, `${service.url}/${name}/mcp`])));
  } finally {
    await service?.close();
    for (const server of Object.values(servers)) await server[Symbol.asyncDispose]();
  }
}

/** Connects to each URL with the official client, and prints how other clients connect. */
export async function introduceService(urls) {
  for (const url of Object.values(urls)) await greet(url);
  const commands = Object.entries(urls).map(([name, url]) => `claude mcp add --transport http ${name} ${url}`);
  const entry = { mcpServers: Object.fromEntries(Object.entries(urls).map(([name, url]) => [name, { url }])) };
  console.log(
    [
      '',
      title('Connect a client'),
      'Claude Code:',
      '',
      ...commands.map((command) => styled('green', command)),
      '',
      'Cursor (~/.cursor/mcp.json) and others that take URLs:',
      '',
      styled('green', JSON.stringify(entry, undefined, 2)),
    ].join('\n'),
  );
}

/** Resolves at Ctrl-C (SIGINT), or at SIGTERM. */
export async function endRequested() {
  console.log('\nServing until Ctrl-C.');
  await Promise.race(['SIGINT', 'SIGTERM'].map((signal) => once(process, signal)));
  console.log('\nClosing …');
}

function serversFor(checkout, hasHistory) {
  const fs = new FilesystemServer(Object.assign(new FilesystemOptions(), { directories: [checkout] }));
  const sql = new PostgresServer(Object.assign(new PostgresOptions(), { sample: true }));
  if (!hasHistory) return { fs, sql };
  return { fs, git: new GitServer(Object.assign(new GitOptions(), { directories: [checkout] })), sql };
}

async function serveAt(mounts, port) {
  try {
    return await serveHttp(mounts, { port: port ?? USUAL_PORT });
  } catch (error) {
    if (port !== undefined || error.code !== 'EADDRINUSE') throw error;
    return serveHttp(mounts);
  }
}

async function greet(url) {
  const client = new Client({ name: 'npm-start', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  const { name, version } = client.getServerVersion();
  const { tools } = await client.listTools();
  console.log(`${url}  ${name} ${version}, ${tools.length} tools, protocol ${client.getNegotiatedProtocolVersion()}`);
  await client.close();
}
