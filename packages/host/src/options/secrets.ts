import type { Arguments } from './arguments.ts';
import type { Option } from './option.ts';

/** Parsed arguments of the command line. */
export interface GivenArguments {
  readonly arguments: Pick<Arguments, 'values'>;
  /** Name of the property that takes the arguments without a flag. */
  readonly positional: string | undefined;
  /** Arguments without a flag. */
  readonly positionals: readonly string[];
}

/** Returns the values of an option on the command line, with and without its flag. */
export function getGivenTexts(
  { property }: Option,
  { arguments: { values }, positional, positionals }: GivenArguments,
): string[] {
  const given = [values.get(property)].flat().filter((value) => typeof value === 'string');
  return [...given, ...(property === positional ? positionals : [])];
}

/** Returns the values of secret options on the command line that contain a secret. */
export function findSecrets(options: readonly Option[], given: GivenArguments): readonly string[] {
  return options.filter(({ secret }) => secret).flatMap((option) => getGivenTexts(option, given).filter(isSecret));
}

/**
 * Whether the value of a secret option contains a secret. A URL contains a secret only if it has a password, or a query with
 * a word such as `token`.
 */
export function isSecret(value: string): boolean {
  if (value === '') return false;
  // A URL may have a name: `ID=URL`.
  const text = value.slice(/^[\w.-]+=/.exec(value)?.[0].length ?? 0);
  if (!text.includes('://') || !URL.canParse(text)) return true;
  const { password, search } = new URL(text);
  return password !== '' || /pass|secret|token|key/i.test(search);
}
