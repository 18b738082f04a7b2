import { pathOfUri, type Roots, type VerifiedPath } from '@org/mcp-roots';
import { directorySubject, fileSubject, type Subject } from '@org/mcp-watch';

/** What to watch for a `file:` URI: a file's content, a directory's entries; nothing outside the roots. */
export async function subjectOf(roots: Roots, uri: string): Promise<Subject | undefined> {
  const target = await verified(roots, uri);
  if (target === undefined) return undefined;
  return target.facts.isDirectory() ? directorySubject(target.real) : fileSubject(target.real);
}

async function verified(roots: Roots, uri: string): Promise<VerifiedPath | undefined> {
  const path = pathOfUri(uri);
  try {
    return path === undefined ? undefined : await roots.existing(path);
  } catch {
    return undefined;
  }
}
