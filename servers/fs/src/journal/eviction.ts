/** Size and age of a record of the journal, which decide whether the record is removed. */
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

/** Share of `maxBytes` above which records are removed. The rest is a reserve for records that other processes add meanwhile. */
const FULL = 15 / 16;
/** Share of `maxBytes` that may remain after removals, so that not every change removes records. */
const LEFT = 7 / 8;

/**
 * Chooses the records to remove: expired records, and the oldest records beyond the maximum number. While the journal is full,
 * also chooses the records with the greatest product of size and age. So one large change does not remove many small, new ones.
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

/** Returns the product of size and age. An age below 1 s counts as 1 s, so that the largest new record is removed first. */
function weigh({ bytes, age }: Aged): number {
  return bytes * Math.max(age, 1000);
}
