import type { BigIntStats } from 'node:fs';

import type { NewFile, Place } from '@org/mcp-roots';

/** Until the permissions of the replaced file are set, nobody else may look into the new one. */
const PRIVATE_MODE = 0o600;

/**
 * Replaces a file's content so that it is, at every moment and after a crash, the old or the new one.
 *
 * The content goes to a new file in the same directory, is flushed and renamed over the target; the owner and permissions of
 * an existing file are kept, its setuid and setgid bits and its hard links are not. On any failure the original is untouched and the new file removed.
 */
export async function writeAtomically({ directory, name, facts }: Place, content: Uint8Array): Promise<void> {
  await using file = await directory.newFile(facts && PRIVATE_MODE);
  if (facts !== undefined) await keep(file, facts);
  await file.write(content);
  await file.flush();
  await file.saveAs(name);
  // The new content stands; a directory that may be written but not read cannot be flushed, and that undoes nothing.
  await directory.flush().catch(() => undefined);
}

/** Owner and permissions of the file that is replaced. Not its setuid and setgid bits: its content is the client's now. */
async function keep(file: NewFile, { uid, gid, mode }: BigIntStats): Promise<void> {
  const own = await file.facts();
  // Only root may give files away; everybody else's become their own, as with any program that replaces files.
  if (own.uid !== uid || own.gid !== gid) await file.setOwner(Number(uid), Number(gid)).catch(() => undefined);
  await file.setMode(Number(mode) & 0o777);
}
