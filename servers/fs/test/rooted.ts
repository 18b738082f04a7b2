import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import type { RootsUse } from '@org/mcp-host';
import {
  eachTransport,
  REVISIONS,
  type AnsweredRoot,
  type CaseOptions,
  type Session,
  type TransportCase,
} from '@org/mcp-testing';

import { FilesystemServer } from '../src/index.ts';
import { mcpFs } from './mcp-fs.ts';
import { optionsWith, temporaryDirectory } from './temporary.ts';

/** What the operator says. */
interface Operator {
  readonly directories: string[];
  readonly use?: RootsUse;
  readonly rootsTimeout?: string;
}

type Case = TransportCase<(given: Operator & CaseOptions) => Promise<Session>>;

/** An older revision, which is served over every transport. */
const OLDER = '2025-03-26';

/** The filesystem server over every transport, in sessions of two revisions and without. */
export const CASES: readonly Case[] = eachTransport({
  server: ({ directories, use, rootsTimeout }: Operator) =>
    new FilesystemServer(optionsWith({ directories, ...(use && { roots: use }), ...(rootsTimeout && { rootsTimeout }) })),
  program: ({ directories, use, rootsTimeout }) =>
    mcpFs(...(use ? ['--roots', use] : []), ...(rootsTimeout ? ['--roots-timeout', rootsTimeout] : []), ...directories),
}).flatMap((each) => {
  const revisions = each.era === 'legacy' ? [REVISIONS.legacy, OLDER] : [REVISIONS.modern];
  return revisions.map((revision) => ({
    ...each,
    name: `${each.transport}, ${revision}`,
    connect: (given: Operator & CaseOptions) => each.connect({ revision, ...given }),
  }));
});

export const SESSIONS: readonly Case[] = CASES.filter(({ era }) => era === 'legacy');

/** Every tool that takes a path, with what it needs besides. */
export const PATH_TOOLS = [
  ['read_text_file', {}],
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
