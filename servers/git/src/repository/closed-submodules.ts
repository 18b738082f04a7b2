import { isUtf8 } from 'node:buffer';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';

import { fieldsOf } from './parse/fields.ts';
import type { Repository } from './repository.ts';

const NAMED = /^submodule\.(.+)\.[^.]+$/s;

/**
 * Configuration under which git takes a submodule for its commit alone. A merge puts local changes aside first, and a pick that is
 * empty lists what there is: for both, git starts another git in every submodule, and no option keeps it from doing so.
 *
 * @throws ToolError REPO_UNTRUSTED
 */
export async function closedSubmodules(repository: Repository): Promise<Readonly<Record<string, string>>> {
  const sources = [`--file=${path.join(repository.ground.top, '.gitmodules')}`, '--blob=:.gitmodules'];
  const lists = await Promise.all(
    sources.map((source) =>
      repository.read(['config', '--no-includes', source, '--list', '--name-only', '-z'], { codes: [0, 1, 128] }),
    ),
  );
  const keys = lists.flatMap(({ stdout }) => fieldsOf(stdout));
  if (!keys.every((key) => isUtf8(key)))
    throw new ToolError('REPO_UNTRUSTED', 'a submodule has a name that is not UTF-8: git cannot be kept out of it', {
      hint: 'use git itself',
    });
  const names = keys.flatMap((key) => NAMED.exec(key.toString('utf8'))?.[1] ?? []);
  return Object.fromEntries([['diff.ignoreSubmodules', 'dirty'], ...names.map((name) => [`submodule.${name}.ignore`, 'dirty'])]);
}
