import { mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { Era, Session } from '@org/mcp-testing';
import { afterAll } from 'vitest';

/** The text of a file. */
export const ONE = '---\ndescription: One\n---\nselect 1 as one';

const folders: string[] = [];

afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

/** A folder of files, by their names. */
export async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'queries-')));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  return folder;
}

/** Saves a file as a whole: nobody sees half of it. */
export async function save(file: string, text: string): Promise<void> {
  const unfinished = `${path.dirname(file)}.unfinished`;
  await writeFile(unfinished, text);
  await rename(unfinished, file);
}

/** Counts the announcements of a list from now on. */
export async function changesOf({ client }: Session, era: Era): Promise<{ tools: number; resources: number }> {
  const heard = { tools: 0, resources: 0 };
  client.setNotificationHandler('notifications/tools/list_changed', () => void (heard.tools += 1));
  client.setNotificationHandler('notifications/resources/list_changed', () => void (heard.resources += 1));
  if (era === 'modern') await client.listen({ toolsListChanged: true, resourcesListChanged: true });
  return heard;
}
