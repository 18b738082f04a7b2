import { ENTRY_TYPES, type EntryType } from '../storage/entry-type.ts';

/** A listed entry, with its facts if they are known. */
export interface Listed {
  readonly name: string;
  readonly type: EntryType;
  readonly size?: number;
  readonly mtimeMs?: number;
  readonly target?: string;
}

/** Entries in a form that is sent between threads in a fraction of the time of one object for each entry. */
export interface ListedBatch {
  /** The names, separated by `/`, which no name contains. */
  readonly names: string;
  /** For each entry the index of its type in `ENTRY_TYPES`. */
  readonly types: Uint8Array;
  /** Sizes in bytes; −1 for an entry without a size. `undefined` if no entry has facts. */
  readonly sizes: Float64Array | undefined;
  readonly times: Float64Array | undefined;
  /** Texts of links by the index of their entry. */
  readonly targets: ReadonlyMap<number, string>;
}

const SEPARATOR = '/';
const NO_SIZE = -1;

export function packListed(entries: readonly Listed[]): ListedBatch {
  const hasFacts = entries.some(({ mtimeMs }) => mtimeMs !== undefined);
  return {
    names: entries.map(({ name }) => name).join(SEPARATOR),
    types: Uint8Array.from(entries, ({ type }) => ENTRY_TYPES.indexOf(type)),
    sizes: hasFacts ? Float64Array.from(entries, ({ size = NO_SIZE }) => size) : undefined,
    times: hasFacts ? Float64Array.from(entries, ({ mtimeMs = Number.NaN }) => mtimeMs) : undefined,
    targets: new Map(entries.flatMap(({ target }, index) => (target === undefined ? [] : [[index, target]]))),
  };
}

export function unpackListed({ names, types, sizes, times, targets }: ListedBatch): readonly Listed[] {
  if (types.length === 0) return [];
  return names.split(SEPARATOR).map((name, index) => {
    const type = ENTRY_TYPES[types[index] ?? 0] ?? 'other';
    const [size = NO_SIZE, mtimeMs = Number.NaN, target] = [sizes?.[index], times?.[index], targets.get(index)];
    return {
      name,
      type,
      ...(size !== NO_SIZE && { size }),
      ...(!Number.isNaN(mtimeMs) && { mtimeMs }),
      ...(target !== undefined && { target }),
    };
  });
}
