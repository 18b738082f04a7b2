/** A record of the journal. */
export interface Aged {
  readonly bytes: number;
  /** In milliseconds. */
  readonly age: number;
}

export interface EvictionLimits {
  readonly maxBytes: number;
  readonly maxAge: number;
  readonly maxRecords: number;
}

/** Share of the journal above which records are removed, because other processes may add records meanwhile. */
const FULL = 15 / 16;
/** Share of the journal that removals leave, so that not every change removes records. */
const LEFT = 7 / 8;

/**
 * Chooses the records to remove: expired records, the oldest records beyond the maximum number, and the records with the greatest
 * product of size and age while the journal is full. So one large change does not remove many small, recent ones.
 *
 * @param records the oldest first; the latest record is never removed
 */
export function chooseRemoved<Record extends Aged>(
  records: readonly Record[],
  { maxBytes, maxAge, maxRecords }: EvictionLimits,
): ReadonlySet<Record> {
  const excess = records.length - maxRecords;
  const removed = new Set(records.slice(0, -1).filter((record, index) => index < excess || record.age > maxAge));
  const left = records.filter((record) => !removed.has(record));
  let bytes = left.reduce((total, record) => total + record.bytes, 0);
  if (bytes <= maxBytes * FULL) return removed;
  const candidates = left.slice(0, -1).sort((one, other) => weigh(other) - weigh(one));
  for (const record of candidates) {
    if (bytes <= maxBytes * LEFT) break;
    removed.add(record);
    bytes -= record.bytes;
  }
  return removed;
}

/** Every record has an age of at least 1 s, so that among records of the same second the largest is removed first. */
function weigh({ bytes, age }: Aged): number {
  return bytes * Math.max(age, 1000);
}
