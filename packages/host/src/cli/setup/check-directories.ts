import { stat } from 'node:fs/promises';
import path from 'node:path';

import { explainTilde } from '../../directories/directory-options.ts';
import type { Option } from '../../options/option.ts';
import { getGivenTexts } from '../../options/secrets.ts';
import type { Machine } from '../../process/machine.ts';
import { UsageError } from '../../process/usage-error.ts';
import type { Invocation } from './invocation.ts';

/**
 * Checks the directories of the options, because a client shows only that a server does not start.
 *
 * @returns sentences about missing directories
 * @throws UsageError for a path that is not a directory
 */
export async function checkDirectories(
  invocation: Invocation,
  { directory: base }: Pick<Machine, 'directory'>,
): Promise<readonly string[]> {
  const options = invocation.options.filter(listsDirectories);
  const given = options.flatMap((option) => [...listTexts(option, invocation)]);
  const warnings: string[] = [];
  for (const absolute of new Set(given.map((text) => path.resolve(base, text)))) {
    const facts = await stat(absolute).catch(() => undefined);
    if (facts === undefined)
      warnings.push(`Warning: the directory ${absolute} does not exist or cannot be examined${explainTilde(absolute)}.`);
    else if (!facts.isDirectory()) throw new UsageError(`${absolute} is not a directory`);
  }
  const isNeeded = options.some(({ property }) => property === invocation.positional);
  if (isNeeded && given.length === 0)
    warnings.push('Warning: no directory is given, so only clients with roots can use the server.');
  return warnings;
}

function listsDirectories({ path: isPath, kind, schema }: Option): boolean {
  return isPath && kind === 'list' && schema.title === 'DIRECTORY';
}

function listTexts(option: Option, invocation: Invocation): readonly string[] {
  const chosen: unknown = Reflect.get(invocation.chosen, option.property);
  const merged = Array.isArray(chosen) ? chosen.filter((value) => typeof value === 'string') : [];
  return [...getGivenTexts(option, invocation), ...merged];
}
