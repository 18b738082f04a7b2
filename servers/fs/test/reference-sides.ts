import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { connectProcess, type Session } from '@org/mcp-testing';
import { expect } from 'vitest';

import { mcpFs } from './mcp-fs.ts';

export type Arguments = Readonly<Record<string, unknown>>;

/** A server, and the root of its own, equal to the other's. */
export interface Side {
  readonly session: Session;
  readonly root: string;
}

export const REFERENCE: string = fileURLToPath(
  new URL('../../../node_modules/@modelcontextprotocol/server-filesystem/', import.meta.url),
);
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const WAV = Buffer.concat([Buffer.from('RIFF'), Buffer.from([36, 0, 0, 0]), Buffer.from('WAVEfmt '), Buffer.alloc(28)]);
const FILES: Readonly<Record<string, string | Buffer>> = {
  '.hidden': 'h',
  'a.txt': 'one\ntwo\nthree',
  'b.md': '# Title\n\n```\ncode\n```\n',
  'empty.txt': '',
  'large.bin': Buffer.alloc(1536),
  'pixel.png': PNG,
  'sound.wav': WAV,
  'src/index.ts': 'export function one() {\n  return 1;\n}\n',
  'src/deep/other.ts': 'export const other = 2;\n',
  'vendor/x/y.js': 'y',
};

/** This server and the reference, as processes, each on a tree of its own. */
export interface Sides extends AsyncDisposable {
  readonly base: string;
  readonly ours: Side;
  readonly reference: Side;
}

export function referenceServer(...directories: readonly string[]): { readonly command: string; readonly args: string[] } {
  return { command: process.execPath, args: [path.join(REFERENCE, 'dist/index.js'), ...directories] };
}

export async function openSides(): Promise<Sides> {
  const base = await realpath(await mkdtemp(path.join(tmpdir(), 'mcp-fs-')));
  const [own, theirs] = [path.join(base, 'ours'), path.join(base, 'reference')];
  for (const [name, content] of Object.entries(FILES)) {
    const file = path.join(own, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  await mkdir(path.join(own, 'nothing'));
  await cp(own, theirs, { recursive: true });
  const ours = {
    root: own,
    session: await connectProcess(mcpFs('--state-dir', path.join(base, 'state'), own), { era: 'legacy' }),
  };
  const reference = { root: theirs, session: await connectProcess(referenceServer(theirs), { era: 'legacy' }) };
  const close = async (): Promise<void> => {
    for (const { session } of [ours, reference]) await session[Symbol.asyncDispose]();
    await rm(base, { recursive: true, force: true });
  };
  return { base, ours, reference, [Symbol.asyncDispose]: close };
}

/** What a server answers, with `/R` for its root in the arguments and in the answer. */
export async function answer({ session, root }: Side, name: string, args: Arguments): Promise<Answer> {
  const given: Arguments = JSON.parse(JSON.stringify(args).replaceAll('/R', root));
  const { content, isError = false } = await session.client.callTool({ name, arguments: given });
  return JSON.parse(JSON.stringify({ content, isError }).replaceAll(root, '/R'));
}

export interface Answer {
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly isError: boolean;
}

export async function both<Told>(
  { ours, reference }: Sides,
  ask: (side: Side) => Promise<Told>,
): Promise<[own: Told, theirs: Told]> {
  return Promise.all([ask(ours), ask(reference)]);
}

export async function text(side: Side, name: string, args: Arguments): Promise<string> {
  const { content, isError } = await answer(side, name, args);
  expect(isError, `${name} ${JSON.stringify(args)}: ${content[0]?.text}`).toBe(false);
  return content[0]?.text ?? '';
}

/** Every file below a root with its content; directories with nothing in them, too. */
export async function contentOf({ root }: Side): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const found = entries.map(async (entry): Promise<readonly [string, string]> => {
    const file = path.join(entry.parentPath, entry.name);
    return [path.relative(root, file), entry.isDirectory() ? '' : await readFile(file, 'latin1')];
  });
  return Object.fromEntries((await Promise.all(found)).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

interface Node {
  readonly name: string;
  readonly children?: readonly Node[];
}

/** A tree whose names are in order. */
export function byName(nodes: readonly Node[]): readonly Node[] {
  const sorted = nodes.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return sorted.map((node) => (node.children === undefined ? node : { ...node, children: byName(node.children) }));
}
