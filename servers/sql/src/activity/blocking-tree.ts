import type { Row } from '../rows/format.ts';

/** Rows of sessions, each below the one that it waits for; the first column becomes the depth. A deadlock has no top: it begins anywhere. */
export function blockingTree(sessions: readonly Row[]): readonly Row[] {
  const left = new Set(sessions);
  const below = (row: Row, depth: number): readonly Row[] => {
    if (!left.delete(row)) return [];
    const waiting = sessions.filter((other) => blockersOf(other).includes(pidOf(row)));
    return [[String(depth), ...row.slice(1)], ...waiting.flatMap((other) => below(other, depth + 1))];
  };
  const tops = sessions.filter((row) => blockersOf(row).length === 0);
  return [...tops, ...sessions].flatMap((row) => below(row, 0));
}

function pidOf([, pid]: Row): string {
  return pid ?? '';
}

function blockersOf([, , blockers]: Row): readonly string[] {
  return (blockers ?? '').split(' ').filter((pid) => pid !== '');
}
