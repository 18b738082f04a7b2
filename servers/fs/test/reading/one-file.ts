import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Session } from '@org/mcp-testing';
import { expect } from 'vitest';

import { temporaryDirectory } from '../temporary.ts';

/** Lines of a long file. */
export const MANY: readonly string[] = Array.from({ length: 5000 }, (_, number) => `line ${number + 1}\n`);

/** A root with one file, `file.txt`. */
export async function rootWith(content: string | Buffer): Promise<string> {
  const root = await temporaryDirectory();
  await writeFile(path.join(root, 'file.txt'), content);
  return root;
}

/** Lines of a file, and the note that follows them. */
export function noted(lines: string): object {
  return {
    type: 'text',
    text: expect.stringMatching(new RegExp(`^${lines}\\[Lines? \\d[^\n]*, the file has \\d+ bytes[^\n]*\\]$`)),
  };
}

/** Reads that file. */
export function read(session: Session, how: object = {}, tool = 'read_text_file'): ReturnType<Session['call']> {
  return session.call(tool, { path: 'file.txt', ...how });
}
