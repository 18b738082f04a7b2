import path from 'node:path';

import { foldPath } from '../paths/fold-name.ts';

/** What belongs to the server itself, by every path that it may be reached by. */
export type Hidden = readonly string[];

/** Position of paths relative to hidden directories, in any spelling. */
export interface HiddenPlaces {
  readonly contains: (absolute: string) => boolean;
  /** Whether a hidden directory is at this path or below. */
  readonly isBelow: (absolute: string) => boolean;
}

export function placesOf(hidden: Hidden): HiddenPlaces {
  const directories = hidden.map((directory) => withSlash(foldPath(directory)));
  return {
    contains: (absolute) => {
      const folded = withSlash(foldPath(absolute));
      return directories.some((directory) => folded.startsWith(directory));
    },
    isBelow: (absolute) => {
      const folded = withSlash(foldPath(absolute));
      return directories.some((directory) => directory.startsWith(folded));
    },
  };
}

function withSlash(absolute: string): string {
  return absolute.endsWith(path.sep) ? absolute : absolute + path.sep;
}
