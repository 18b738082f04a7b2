import { listedNames } from './failures.ts';
import { pathOfUri } from './paths/file-uri.ts';
import type { Named } from './paths/locate.ts';

/** How {@link Roots.narrowedTo} treats roots that have nothing in common with the directories. */
export interface NarrowingOptions {
  /** `deny` allows no path then, `keep` leaves the directories as they are. Default: `deny`. */
  readonly ifApart?: 'deny' | 'keep';
}

/** What the roots of a client changed. */
export interface Narrowing {
  /** `narrowed`: some directories, or parts of them, remain; `excluded`: none; `kept`: all, although no root overlaps them. */
  readonly outcome: 'narrowed' | 'excluded' | 'kept';
  /** The roots and the directories that led to the outcome, and on a second line the remedy; hidden characters are escaped. */
  readonly text: string;
}

/** The roots of a client and the operator's directories. */
export interface Parties {
  /** As the client reports them. */
  readonly uris: readonly string[];
  readonly operators: readonly Named[];
}

export function narrowed(parties: Parties): Narrowing {
  const { roots, directories } = namesOf(parties);
  return {
    outcome: 'narrowed',
    text: `the client's roots (${roots}) narrow the server's directories (${directories})\n--roots off ignores the client's roots`,
  };
}

export function excluded({ uris, operators }: Parties, { ifApart }: NarrowingOptions): Narrowing {
  const { roots, directories } = namesOf({ uris, operators });
  const [cause, remedy] =
    uris.length === 0
      ? [
          'the client reports no roots, and the server requires some',
          'add a root in the client, or start the server without --roots only',
        ]
      : operators.length === 0
        ? [`no root of the client (${roots}) is an existing directory`, 'start the server with the directories it may touch']
        : [
            `the client's roots (${roots}) exclude the server's directories (${directories})`,
            `open the client in one of these directories, or start the server with --roots ${ifApart === 'keep' ? 'off' : 'overlap'}`,
          ];
  return { outcome: 'excluded', text: `${cause}, so no path is allowed\n${remedy}` };
}

export function kept(parties: Parties): Narrowing {
  const { roots, directories } = namesOf(parties);
  return {
    outcome: 'kept',
    text: `the client's roots (${roots}) do not overlap the server's directories (${directories}); --roots overlap allows all of these then\nopen the client in one of these directories, or start the server with --roots narrow`,
  };
}

function namesOf({ uris, operators }: Parties): { readonly roots: string; readonly directories: string } {
  return {
    roots: listedNames(uris.map((uri) => pathOfUri(uri) ?? uri)),
    directories: listedNames(operators.map(({ path }) => path)),
  };
}
