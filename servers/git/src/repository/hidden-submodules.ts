import type { DiffReader } from './parse/diff.ts';
import type { PatchSection } from './parse/patch.ts';
import type { Repository } from './repository.ts';
import { submoduleCommit } from './submodule-commit.ts';

const SHOWN = /^\+Subproject commit (.+)$/gm;

/**
 * Returns the submodules that a diff must not show. Git follows the `.git` file of a submodule to any directory. Therefore the
 * commit in the diff may belong to a repository outside the roots.
 */
export async function hiddenSubmodules(repository: Repository, reader: DiffReader): Promise<ReadonlySet<string>> {
  const hidden = new Set<string>();
  for (const directory of reader.checkedOut) {
    const oid = await submoduleCommit(repository, directory);
    const sections = reader.sections.filter(({ file }) => file?.path === directory);
    if (oid === undefined || !sections.every((section) => shows(section, oid))) hidden.add(directory);
  }
  return hidden;
}

/** A section without a known file is shown only if no submodule is hidden. */
export function isShown({ file }: PatchSection, hidden: ReadonlySet<string>): boolean {
  return file === undefined ? hidden.size === 0 : !hidden.has(file.path);
}

function shows({ patch }: PatchSection, oid: string): boolean {
  return [...patch.toString('latin1').matchAll(SHOWN)].every(([, shown]) => shown === oid);
}
