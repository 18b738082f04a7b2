import path from 'node:path';

import { listNames } from '../errors/path-errors.ts';
import { isContained } from '../paths/containment.ts';
import { parseFileUri } from '../paths/file-uri.ts';
import { selectCalls } from '../pinning/mounts.ts';
import { resolveClientDirectory } from './client-root.ts';
import type { OperatorRoot } from './operator-root.ts';

/** Options for {@link Roots.narrowedTo}. */
export interface NarrowingOptions {
  /**
   * Effect if no root of the client overlaps a directory of the operator: `deny` allows no path, `keep` allows all directories
   * of the operator. Default: `deny`.
   */
  readonly ifApart?: 'deny' | 'keep';
  /** Whether the server requires roots. If `true`, no error recommends ignoring the client's roots. Default: `false`. */
  readonly isRequired?: boolean;
}

/** The effect of a client's roots on the operator's directories. */
export interface Narrowing {
  /**
   * `narrowed`: some directories, or parts of them, remain. `excluded`: no directory remains. `kept`: all directories remain,
   * although no root overlaps any of the directories.
   */
  readonly outcome: 'narrowed' | 'excluded' | 'kept';
  /**
   * The roots and the directories that caused the outcome; the remedy follows on a second line. Hidden characters are
   * escaped.
   */
  readonly text: string;
}

/** Maximum number of unusable roots that an error lists with their faults. */
const MAX_FAULTS = 3;

/** The roots of a client and the operator's directories. */
export interface RootParties {
  /** Roots as the client reports them. */
  readonly uris: readonly string[];
  readonly operators: readonly OperatorRoot[];
}

/** A root of a client, and the reason why the root is unusable regardless of the operator's directories. */
interface CheckedRoot {
  /** The path of the root, or its URI if the URI contains no valid path. */
  readonly name: string;
  readonly fault: RootFault | undefined;
}

type RootFault = 'is not a file: URI' | 'is not a valid file: URI' | 'does not exist' | 'is not a directory';

export function describeNarrowed(parties: RootParties): Narrowing {
  const { roots, directories } = nameParties(parties);
  return {
    outcome: 'narrowed',
    text: `the client's roots (${roots}) narrow the server's directories (${directories})\n--roots off ignores the client's roots`,
  };
}

export async function describeExcluded({ uris, operators }: RootParties, options: NarrowingOptions): Promise<Narrowing> {
  const { roots, directories } = nameParties({ uris, operators });
  if (uris.length === 0)
    return describeRefusal(
      `the client reports no roots, and the server requires roots that limit its directories (${directories})`,
      'add a root in the client, or start the server with --roots narrow',
    );
  if (operators.length === 0)
    return describeRefusal(
      `no root of the client (${roots}) is an existing directory`,
      'start the server with the allowed directories',
    );
  const checked = await checkRoots(uris, operators);
  return describeRefusal(describeCause(checked, directories), describeRemedy(checked, options));
}

export function describeKept(parties: RootParties): Narrowing {
  const { roots, directories } = nameParties(parties);
  return {
    outcome: 'kept',
    text: `the client's roots (${roots}) do not overlap the server's directories (${directories}); because of --roots overlap, all directories of the server stay allowed\n--roots narrow would deny every path instead`,
  };
}

function describeRefusal(cause: string, remedy: string): Narrowing {
  return { outcome: 'excluded', text: `${cause}, so no path is allowed\n${remedy}` };
}

/** Lists unusable roots with their faults, and all other roots together. */
function describeCause(checked: readonly CheckedRoot[], directories: string): string {
  const apart = checked.filter(({ fault }) => fault === undefined);
  const unusable = checked.filter(({ fault }) => fault !== undefined);
  const shown = unusable.slice(0, MAX_FAULTS).map(({ name, fault }) => `${listNames([name])} ${fault}`);
  const more = unusable.length - shown.length;
  if (more > 0) shown.push(more === 1 ? '1 more root is unusable' : `${more} more roots are unusable`);
  const faults = shown.join('; ');
  if (apart.length === 0) return `the client's roots allow none of the server's directories (${directories}): ${faults}`;
  const names = listNames(apart.map(({ name }) => name));
  return `the client's roots (${names}) exclude the server's directories (${directories})${faults && `; ${faults}`}`;
}

function describeRemedy(checked: readonly CheckedRoot[], { ifApart, isRequired = false }: NarrowingOptions): string {
  const open = "open the client in one of the server's directories";
  if (isRequired) return `${open}, or add one of them as a root, because the server requires roots (--roots only)`;
  // A root with one of these faults is inside a directory of the operator, so it overlaps, and `--roots overlap` would not help.
  const isOverlapping = checked.some(({ fault }) => fault === 'does not exist' || fault === 'is not a directory');
  return `${open}, or start the server with --roots ${ifApart === 'keep' || isOverlapping ? 'off' : 'overlap'}`;
}

function nameParties({ uris, operators }: RootParties): { readonly roots: string; readonly directories: string } {
  return {
    roots: listNames(uris.map((uri) => parseFileUri(uri) ?? uri)),
    directories: listNames(operators.map(({ path }) => path)),
  };
}

/** Checks only roots inside the operator's directories for existence, so that a client cannot probe other paths. */
async function checkRoots(uris: readonly string[], operators: readonly OperatorRoot[]): Promise<readonly CheckedRoot[]> {
  return Promise.all(
    uris.map(async (uri) => {
      const named = parseFileUri(uri);
      if (named === undefined) return { name: uri, fault: findUriFault(uri) };
      const isInside = operators.some(({ path: one, realPath }) => isContained(one, named) || isContained(realPath, named));
      const isUsable = !isInside || (await resolveClientDirectory(uri, operators)) !== undefined;
      return { name: named, fault: isUsable ? undefined : await findPathFault(path.resolve(named)) };
    }),
  );
}

function findUriFault(uri: string): RootFault {
  return uri.startsWith('file:') ? 'is not a valid file: URI' : 'is not a file: URI';
}

async function findPathFault(absolute: string): Promise<RootFault> {
  try {
    await selectCalls(absolute).stat(absolute);
    return 'is not a directory';
  } catch {
    return 'does not exist';
  }
}
