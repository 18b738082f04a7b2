import { decode, referenceRecords } from './fields.ts';

/** The format of `git for-each-ref` that {@link parseReferences} reads. */
export const REFERENCE_FORMAT = '%(refname)%00%(objectname)%00%(symref)%00';

/** The object that each full name of a reference stands for; symbolic ones are left out. */
export function parseReferences(stdout: Buffer): ReadonlyMap<string, string> {
  const { text, name } = decode(stdout);
  const found = referenceRecords(text, 3).flatMap(([ref = '', oid = '', symbolic = '']) =>
    symbolic === '' ? [[name(ref), oid] as const] : [],
  );
  return new Map(found);
}
