import { listedNames } from './failures.ts';
import type { OperatorRoot } from './operator-root.ts';
import { pathOfUri } from './paths/file-uri.ts';
import { checkRoots, type CheckedRoot } from './root-faults.ts';

/** How {@link Roots.narrowedTo} treats roots that have nothing in common with the directories. */
export interface NarrowingOptions {
  /** `deny` allows no path then, `keep` leaves the directories as they are. Default: `deny`. */
  readonly ifApart?: 'deny' | 'keep';
  /** The server requires roots, so no refusal recommends to do without. Default: `false`. */
  readonly isRequired?: boolean;
}

/** What the roots of a client changed. */
export interface Narrowing {
  /** `narrowed`: some directories, or parts of them, remain; `excluded`: none; `kept`: all, although no root overlaps them. */
  readonly outcome: 'narrowed' | 'excluded' | 'kept';
  /** The roots and the directories that led to the outcome, and on a second line the remedy; hidden characters are escaped. */
  readonly text: string;
}

/** Unusable roots that a refusal names one by one. */
const MOST_FAULTS = 3;

/** The roots of a client and the operator's directories. */
export interface Parties {
  /** As the client reports them. */
  readonly uris: readonly string[];
  readonly operators: readonly OperatorRoot[];
}

export function narrowed(parties: Parties): Narrowing {
  const { roots, directories } = namesOf(parties);
  return {
    outcome: 'narrowed',
    text: `the client's roots (${roots}) narrow the server's directories (${directories})\n--roots off ignores the client's roots`,
  };
}

export async function excluded({ uris, operators }: Parties, options: NarrowingOptions): Promise<Narrowing> {
  const { roots, directories } = namesOf({ uris, operators });
  if (uris.length === 0)
    return refusing(
      `the client reports no roots, and the server requires some for its directories (${directories})`,
      'add a root in the client, or start the server with --roots narrow',
    );
  if (operators.length === 0)
    return refusing(
      `no root of the client (${roots}) is an existing directory`,
      'start the server with the directories it may touch',
    );
  const checked = await checkRoots(uris, operators);
  return refusing(causeOf(checked, directories), remedyOf(checked, options));
}

export function kept(parties: Parties): Narrowing {
  const { roots, directories } = namesOf(parties);
  return {
    outcome: 'kept',
    text: `the client's roots (${roots}) do not overlap the server's directories (${directories}); because of --roots overlap, all directories of the server stay allowed\n--roots narrow would refuse every path instead`,
  };
}

function refusing(cause: string, remedy: string): Narrowing {
  return { outcome: 'excluded', text: `${cause}, so no path is allowed\n${remedy}` };
}

/** Names unusable roots with their faults, and the other roots together. */
function causeOf(checked: readonly CheckedRoot[], directories: string): string {
  const apart = checked.filter(({ fault }) => fault === undefined);
  const unusable = checked.filter(({ fault }) => fault !== undefined);
  const shown = unusable.slice(0, MOST_FAULTS).map(({ name, fault }) => `${listedNames([name])} ${fault}`);
  if (unusable.length > shown.length) shown.push(`${unusable.length - shown.length} more are unusable`);
  const faults = shown.join('; ');
  if (apart.length === 0) return `the client's roots leave none of the server's directories (${directories}): ${faults}`;
  const names = listedNames(apart.map(({ name }) => name));
  return `the client's roots (${names}) exclude the server's directories (${directories})${faults && `; ${faults}`}`;
}

function remedyOf(checked: readonly CheckedRoot[], { ifApart, isRequired = false }: NarrowingOptions): string {
  const open = "open the client in one of the server's directories";
  if (isRequired) return `${open}, or add one as a root, which --roots only requires`;
  // A missing root inside the directories overlaps them.
  const isOverlapping = checked.some(({ fault }) => fault === 'does not exist' || fault === 'is not a directory');
  return `${open}, or start the server with --roots ${ifApart === 'keep' || isOverlapping ? 'off' : 'overlap'}`;
}

function namesOf({ uris, operators }: Parties): { readonly roots: string; readonly directories: string } {
  return {
    roots: listedNames(uris.map((uri) => pathOfUri(uri) ?? uri)),
    directories: listedNames(operators.map(({ path }) => path)),
  };
}
