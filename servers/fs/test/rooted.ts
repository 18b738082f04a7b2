import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { SSEClientTransport } from '@modelcontextprotocol/client';
import { serveHttp, type RootsUse } from '@org/mcp-host';
import { eachTransport, REVISIONS, type AnsweredRoot, type CaseOptions, Session, type TransportCase } from '@org/mcp-testing';

import { FilesystemServer } from '../src/index.ts';
import { mcpFs } from './mcp-fs.ts';
import { optionsWith, temporaryDirectory, temporaryState } from './temporary.ts';

/** What the operator says. */
interface Operator {
  readonly directories: string[];
  readonly use?: RootsUse;
  readonly rootsTimeout?: string;
}

type Case = TransportCase<(given: Operator & CaseOptions) => Promise<Session>>;

/** An older revision, which is served over every transport. */
const OLDER = '2025-03-26';

function serverOf({ directories, use, rootsTimeout }: Operator): FilesystemServer {
  const asking = { ...(use && { roots: use }), ...(rootsTimeout !== undefined && { rootsTimeout }) };
  return new FilesystemServer(optionsWith({ directories, ...asking }));
}

function programOf({ directories, use, rootsTimeout }: Operator): ReturnType<typeof mcpFs> {
  const asking = [...(use ? ['--roots', use] : []), ...(rootsTimeout === undefined ? [] : ['--roots-timeout', rootsTimeout])];
  return mcpFs('--state-dir', temporaryState(), ...asking, ...directories);
}

/** The oldest revision, as HTTP has it. */
const SSE: Case = {
  name: 'sse, 2024-11-05',
  transport: 'http',
  era: 'legacy',
  async connect(given) {
    const server = serverOf(given);
    await server.open();
    const service = await serveHttp({ '/mcp': server }, { sse: true });
    const transport = new SSEClientTransport(new URL(`${service.url}/sse`));
    return Session.open(transport, { ...given, era: 'legacy', revision: '2024-11-05' }, async () => {
      await service.close();
      await server[Symbol.asyncDispose]();
    });
  },
};

function withRevisions(each: Case): readonly Case[] {
  const revisions = each.era === 'legacy' ? [REVISIONS.legacy, OLDER] : [REVISIONS.modern];
  return revisions.map((revision) => ({
    ...each,
    name: `${each.transport}, ${revision}`,
    connect: (given) => each.connect({ revision, ...given }),
  }));
}

/** The filesystem server over every transport, in sessions of three revisions and without. */
export const CASES: readonly Case[] = [...eachTransport({ server: serverOf, program: programOf }).flatMap(withRevisions), SSE];

export const SESSIONS: readonly Case[] = CASES.filter(({ era }) => era === 'legacy');

/** Every tool that takes a path, with what it needs besides. */
export const PATH_TOOLS = [
  ['read_text_file', {}],
  ['read_media_file', {}],
  ['list_directory', {}],
  ['search_files', { pattern: 'b' }],
  ['get_file_info', {}],
  ['write_file', { content: 'x' }],
] as const;

/** A directory with `open/a.txt` and `closed/b.txt`, which hold the names of their directories. */
export async function place(): Promise<string> {
  const root = await temporaryDirectory();
  for (const [directory, file] of [
    ['open', 'a.txt'],
    ['closed', 'b.txt'],
  ] as const) {
    await mkdir(path.join(root, directory));
    await writeFile(path.join(root, directory, file), directory);
  }
  return root;
}

/** Directories as a client tells of them. */
export function rootsAt(...directories: readonly string[]): readonly AnsweredRoot[] {
  return directories.map((directory) => ({ uri: pathToFileURL(directory).href }));
}
