import { realpathSync } from 'node:fs';
import { lstat, realpath, stat } from 'node:fs/promises';
import path from 'node:path';

import { pathOfUri, type Roots } from '@org/mcp-roots';
import { directorySubject, fileSubject, type Place, type Subject } from '@org/mcp-watch';

/**
 * What to watch for a `file:` URI: a file's content, a directory's entries; `undefined` for what is not inside the roots.
 *
 * It counts as gone while the roots do not allow it any more.
 */
export async function subjectOf(roots: Roots, uri: string): Promise<Subject | undefined> {
  const given = pathOfUri(uri);
  const real = given && (await realPathOf(roots, given));
  if (given === undefined || real === undefined) return undefined;
  const watched = await subjectAt(real, rootOf(roots, real));
  return {
    key: `${watched.key}:${given}`,
    places: [...watched.places, ...(await linksOn(given, real))],
    fingerprint: fingerprintWithin(roots, { given, real, watched }),
  };
}

/** Which of the roots are there. */
export function rootsSubject({ directories }: Roots): Subject {
  return {
    key: 'roots',
    places: directories.map(({ realPath }) => ({ kind: 'file', path: realPath })),
    fingerprint: async () => (await Promise.all(directories.map((root) => root.state()))).join(' '),
  };
}

interface Watched {
  readonly given: string;
  /** Where it led when it was subscribed to. */
  readonly real: string;
  /** What is there. */
  readonly watched: Subject;
}

/** Asks the roots only when something differs: a look at thousands of files that have not changed has to be quick. */
function fingerprintWithin(roots: Roots, { given, real, watched }: Watched): Subject['fingerprint'] {
  let last: { readonly state: string; readonly leads: string | undefined; readonly told: string } | undefined;
  const ask = async (state: string): Promise<string> => {
    const leads = await realPathOf(roots, given);
    last = { state, leads, told: leads === undefined ? 'absent' : `${leads} ${leads === real ? state : await stateAt(leads)}` };
    return last.told;
  };
  const tell = (state: string): string | Promise<string> =>
    last?.state === state && last.leads === real ? last.told : ask(state);
  const leading = given === real ? () => '' : () => whereItLeads(given);
  return () => {
    const leads = leading();
    const state = watched.fingerprint();
    return typeof state === 'string' ? tell(leads + state) : state.then((later) => tell(leads + later));
  };
}

async function realPathOf(roots: Roots, given: string): Promise<string | undefined> {
  return roots.existing(given).then(
    ({ real }) => real,
    () => undefined,
  );
}

async function subjectAt(real: string, root?: string): Promise<Subject> {
  const facts = await stat(real).catch(() => undefined);
  return facts?.isDirectory() === true ? directorySubject(real, root) : fileSubject(real, root);
}

async function stateAt(real: string): Promise<string> {
  return (await subjectAt(real)).fingerprint();
}

function rootOf({ directories }: Roots, real: string): string | undefined {
  return directories.map(({ realPath }) => realPath).find((root) => real === root || real.startsWith(path.join(root, path.sep)));
}

/** The links that a path goes through: where one is made to lead elsewhere, that is a change too. */
async function linksOn(given: string, real: string): Promise<readonly Place[]> {
  const links: Place[] = [];
  for (let at = given; given !== real && at !== path.dirname(at); at = path.dirname(at)) {
    const facts = await lstat(at).catch(() => undefined);
    if (facts?.isSymbolicLink() !== true) continue;
    links.push({ kind: 'file', path: path.join(await realpath(path.dirname(at)), path.basename(at)) });
  }
  return links;
}

function whereItLeads(given: string): string {
  try {
    return realpathSync.native(given);
  } catch {
    return '';
  }
}
