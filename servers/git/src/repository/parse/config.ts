import { groupFields, splitFields } from './fields.ts';

/** One entry of the output of `git config --list -z --show-scope --show-origin`. */
export interface ConfigEntry {
  readonly scope: string;
  /** The file that contains the entry; `undefined` for an entry from another source, such as the environment. */
  readonly file: string | undefined;
  /** Section and variable in lower case, subsection as written. */
  readonly key: string;
  /** The value; the text `true` for a key without a value, such as `[core] bare`. */
  readonly value: string;
  readonly hasValue: boolean;
}

/**
 * Parses the output of `git config --list -z --show-scope --show-origin`.
 *
 * @param encoding `latin1` preserves every byte. Fields are not decoded as {@link decodePath} does: for a value that is not
 * UTF-8, the result would be quoted as a whole, and contain another key
 */
export function parseConfig(stdout: Buffer, encoding: 'utf8' | 'latin1' = 'utf8'): readonly ConfigEntry[] {
  const fields = splitFields(stdout).map((field) => field.toString(encoding));
  return groupFields(fields, 3).map(([scope = '', origin = '', pair = '']) => {
    const newline = pair.indexOf('\n');
    return {
      scope,
      file: origin.startsWith('file:') ? origin.slice(5) : undefined,
      key: newline === -1 ? pair : pair.slice(0, newline),
      value: newline === -1 ? 'true' : pair.slice(newline + 1),
      hasValue: newline !== -1,
    };
  });
}
