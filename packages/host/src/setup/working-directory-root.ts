import type { Option } from '../options/option.ts';
import { propertiesIn } from '../options/read-options.ts';
import type { Client } from './clients.ts';
import type { Invocation } from './invocation.ts';
import type { Machine } from './machine.ts';

const PROPERTY = 'roots';
const VALUE = 'overlap';

/**
 * The invocation with `--roots overlap` for a client whose only root is its working directory: that root says nothing of the
 * directories that the server was given. The same invocation if the user chose `--roots`, in whatever way, or the server has no such
 * option.
 */
export async function fittedTo(
  { hasWorkingDirectoryAsRoot }: Pick<Client, 'hasWorkingDirectoryAsRoot'>,
  invocation: Invocation,
  machine: Pick<Machine, 'env'>,
): Promise<Invocation> {
  const option = invocation.options.find(({ property }) => property === PROPERTY);
  if (hasWorkingDirectoryAsRoot !== true || option?.schema.enum?.includes(VALUE) !== true) return invocation;
  if (await isChosen(option, invocation, machine)) return invocation;
  const { arguments: given } = invocation;
  return { ...invocation, arguments: { ...given, values: new Map([...given.values, [PROPERTY, VALUE]]) } };
}

/** Why the entry has an option that its user did not give. */
export function adviceOnRoots({ title }: Pick<Client, 'title'>): string {
  return `The entry has --roots=overlap: ${title} reports its working directory as its only root, and elsewhere that would exclude every path. Give --roots to choose another value.`;
}

async function isChosen(
  { variable }: Option,
  { arguments: { values, config } }: Invocation,
  { env }: Pick<Machine, 'env'>,
): Promise<boolean> {
  return values.has(PROPERTY) || (env[variable] ?? '') !== '' || (await propertiesIn(config)).includes(PROPERTY);
}
