import type { ViewedCommit } from '@org/mcp-git';

/** Colours of lanes, which are visible on light and dark backgrounds. */
export const COLORS: readonly string[] = ['#2f81f7', '#d2691e', '#2e9e5b', '#c2459b', '#8a6fdf', '#b08800'];

/** A line from one lane to another. */
type Line = readonly [from: number, to: number];

/** A commit and the lines of its row. */
export interface CommitLanes {
  readonly commit: ViewedCommit;
  readonly lane: number;
  /** Lines from the top of the row to its middle. */
  readonly above: readonly Line[];
  /** Lines from the middle of the row to its bottom. */
  readonly below: readonly Line[];
  /** Number of lanes of the row. */
  readonly width: number;
}

/**
 * Assigns a lane to each commit. Children precede their parents in `commits`. A lane is reserved for the parent that continues
 * it.
 */
export function assignLanes(commits: readonly ViewedCommit[]): readonly CommitLanes[] {
  let waiting: readonly (string | undefined)[] = [];
  return commits.map((commit) => {
    const { oid, parents } = commit;
    const known = waiting.indexOf(oid);
    const lane = known === -1 ? findFree(waiting) : known;
    const above = waiting.flatMap((each, index): readonly Line[] =>
      each === undefined ? [] : [[index, each === oid ? lane : index]],
    );
    const next = waiting.map((each) => (each === oid ? undefined : each));
    const below: Line[] = next.flatMap((each, index): readonly Line[] => (each === undefined ? [] : [[index, index]]));
    for (const [position, parent] of parents.entries()) {
      const present = next.indexOf(parent);
      const target = present !== -1 ? present : position === 0 && next[lane] === undefined ? lane : findFree(next);
      if (present === -1) next[target] = parent;
      below.push([lane, target]);
    }
    const width = Math.max(waiting.length, next.length, lane + 1);
    waiting = trim(next);
    return { commit, lane, above, below, width };
  });
}

function findFree(lanes: readonly (string | undefined)[]): number {
  const free = lanes.indexOf(undefined);
  return free === -1 ? lanes.length : free;
}

function trim(lanes: readonly (string | undefined)[]): readonly (string | undefined)[] {
  return lanes.slice(0, lanes.findLastIndex((each) => each !== undefined) + 1);
}
