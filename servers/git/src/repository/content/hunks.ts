import { createHash } from 'node:crypto';

import { ToolError } from '@org/mcp-decorators';

import { DiffReader } from '../parse/diff-reader.ts';
import type { PatchSection } from '../parse/patch-reader.ts';
import type { Repository } from '../repository.ts';
import { DIFF_FLAGS } from './diff-flags.ts';

/** Which changes a list of hunks contains: of the work tree against the index, or of the index against HEAD. */
export type HunkSource = 'unstaged' | 'staged';

/** A hunk of the patch of a file. All text is Latin-1, so that no byte is lost. */
export interface Hunk {
  /** Hash of the source, the path, the lines, and the line number of the hunk in the work tree (unstaged) or in HEAD (staged). */
  readonly id: string;
  readonly path: string;
  /** Numbers of the first line in the old version (`oldStart`) and in the new version (`newStart`) of the file. */
  readonly oldStart: number;
  readonly newStart: number;
  /** The text after the second `@@`, such as the name of a function. */
  readonly place: string;
  /** The lines below the `@@` line, without line breaks. */
  readonly lines: readonly string[];
  /** The lines of the patch above its first hunk. */
  readonly header: readonly string[];
}

/** Maximum size of a patch from which hunks are read, in bytes. */
const MAX_PATCH_BYTES = 16_777_216;
/** Number of hexadecimal digits of an id. */
const ID_DIGITS = 10;
const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/;

/**
 * Reads the hunks of all changed files at or below the paths. Untracked, binary and unmerged files and submodules have no hunks.
 *
 * @throws ToolError TOO_LARGE for a patch of more than 16 MiB
 */
export async function readHunks(repository: Repository, source: HunkSource, paths: readonly string[]): Promise<readonly Hunk[]> {
  const flags = [...DIFF_FLAGS, '--ignore-submodules=all', '--no-renames', '--full-index', '--unified=3'];
  const command = [
    'diff',
    ...(source === 'staged' ? ['--cached'] : []),
    ...flags,
    '-z',
    '--raw',
    '--numstat',
    '--patch',
    '--',
    ...paths,
  ];
  const { stdout, isTruncated } = await repository.read(command, { maxBytes: MAX_PATCH_BYTES });
  if (isTruncated)
    throw new ToolError('TOO_LARGE', `the changes have more than ${MAX_PATCH_BYTES} bytes`, {
      hint: 'name fewer files in paths',
    });
  const reader = new DiffReader();
  reader.feed(stdout);
  reader.finish();
  return reader.sections.flatMap((section) => parseSection(section, source));
}

function parseSection({ file, patch }: PatchSection, source: HunkSource): readonly Hunk[] {
  if (file === undefined || file.status === 'conflict') return [];
  const lines = patch.toString('latin1').split('\n');
  if (lines.at(-1) === '') lines.pop();
  const starts = lines.flatMap((line, index) => (HUNK.test(line) ? [index] : []));
  const header = lines.slice(0, starts[0] ?? lines.length);
  return starts.map((start, index) => {
    const [, oldStart = '', newStart = '', place = ''] = HUNK.exec(lines[start] ?? '') ?? [];
    const body = lines.slice(start + 1, starts[index + 1] ?? lines.length);
    // Staging changes line numbers in the index, so the id contains the line number in the work tree or in HEAD.
    const fixed = source === 'unstaged' ? newStart : oldStart;
    const id = identifyHunk([source, file.path, fixed, ...body]);
    return { id, path: file.path, oldStart: Number(oldStart), newStart: Number(newStart), place, lines: body, header };
  });
}

function identifyHunk(parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n'), 'latin1').digest('hex').slice(0, ID_DIGITS);
}
