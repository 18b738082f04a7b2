import { decodeOutput, groupFields, splitTextFields } from './fields.ts';

/** The format of `git for-each-ref` that {@link parseReferences} parses. */
export const REFERENCE_FORMAT = '%(refname)%00%(objectname)%00%(symref)%00';

/** Maps full names of references to object names. Symbolic references are omitted. */
export function parseReferences(stdout: Buffer): ReadonlyMap<string, string> {
  const { text, name } = decodeOutput(stdout);
  const found = parseReferenceRecords(text, 3).flatMap(([ref = '', oid = '', symbolic = '']) =>
    symbolic === '' ? [[name(ref), oid] as const] : [],
  );
  return new Map(found);
}

/**
 * Splits the output of `git for-each-ref` into records. In its format, each field must end with NUL.
 *
 * @param size number of fields in a record
 */
export function parseReferenceRecords(text: string, size: number): readonly (readonly string[])[] {
  // git ends each record with a newline, which precedes the first field of the next record.
  return groupFields(splitTextFields(text), size).map(([name = '', ...facts]) => [name.replace(/^\n/, ''), ...facts]);
}

/** Decodes the output of `git for-each-ref` with one field, the name of the reference. */
export function decodeReferenceNames(stdout: Buffer): readonly string[] {
  const { text, name } = decodeOutput(stdout);
  return parseReferenceRecords(text, 1).map(([first = '']) => name(first));
}
