import { decodeList, records } from './fields.ts';

/** The format of `git for-each-ref` that {@link parseReferences} reads. */
export const REFERENCE_FORMAT = '%(refname)%00%(objectname)%00%(symref)%00';

/** The object that each full name of a reference stands for; symbolic ones are left out. */
export function parseReferences(stdout: Buffer): ReadonlyMap<string, string> {
  const found = records(decodeList(stdout), 3).flatMap(([name = '', oid = '', symbolic = '']) =>
    // git ends each record with a newline, which then stands before the next one's first field.
    symbolic === '' ? [[name.replace(/^\n/, ''), oid] as const] : [],
  );
  return new Map(found);
}
