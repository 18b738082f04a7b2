import { firstThatFit } from '@org/mcp-host';

import { endOfCharacter } from '../text/end-of-character.ts';
import type { ChangedPath, Changes, DiffPosition } from './changes.ts';
import { bodyOf } from './parse/fields.ts';
import type { PatchSection } from './parse/patch.ts';

/** As much of a diff as fits, and where the next page begins. */
interface Page extends Pick<Changes, 'patch' | 'truncated' | 'cut'>, Partial<Pick<Changes, 'files'>> {
  readonly next?: Omit<DiffPosition, 'combined'>;
}

interface Part {
  readonly maxBytes: number;
  readonly from?: DiffPosition | undefined;
}

/** Returns as many files as fit, without their patches. Changes of one file are never on two pages: a cursor names a file. */
export function namesPage(all: readonly ChangedPath[], most: number, maxBytes: number): Page {
  const { length } = firstThatFit(all.slice(0, most), maxBytes);
  const isWithin = (end: number): boolean => end < all.length && all[end]?.path === all[end - 1]?.path;
  const end = !isWithin(length) ? length : length > 1 ? length - 1 : length + 1;
  const next = all[end]?.path;
  return {
    patch: '',
    files: all.slice(0, end),
    truncated: next !== undefined,
    ...(next !== undefined && { next: { path: next, skip: 0 } }),
  };
}

/** Returns the patches of whole files that fit or, if the first one alone is too large, as much of it as fits. */
export function patchPage(found: readonly PatchSection[], part: Part): Page {
  const sections = skipped(joined(found), part.from);
  const fits = fittingSections(sections, part.maxBytes);
  if (fits.length === sections.length) return { patch: textOf(fits), truncated: false };
  const [first] = sections;
  if (fits.length === 0 && first !== undefined) return cutPage(first, part);
  const next = sections[fits.length]?.file?.path;
  return { patch: textOf(fits), truncated: true, ...(next !== undefined && { next: { path: next, skip: 0 } }) };
}

/** Joins the sections of one file, because a cursor names a file: git writes two if its type changed, or if one side deleted it. */
function joined(sections: readonly PatchSection[]): readonly PatchSection[] {
  const files: { file: PatchSection['file']; pieces: Buffer[] }[] = [];
  for (const { file, patch } of sections) {
    const last = files.at(-1);
    if (file !== undefined && last?.file?.path === file.path) last.pieces.push(patch);
    else files.push({ file, pieces: [patch] });
  }
  return files.map(({ file, pieces }) => ({ file, patch: Buffer.concat(pieces) }));
}

/** Removes the part of the first file that an earlier page contained. */
function skipped(sections: readonly PatchSection[], from: DiffPosition | undefined): readonly PatchSection[] {
  const [first, ...others] = sections;
  if (from === undefined || from.skip === 0 || first?.file?.path !== from.path) return sections;
  return [{ ...first, patch: first.patch.subarray(from.skip) }, ...others];
}

/** The first file alone is larger than what may be shown: it is cut at a line end, if there is one. */
function cutPage({ file, patch }: PatchSection, { maxBytes, from }: Part): Page {
  const line = patch.lastIndexOf('\n', maxBytes - 1) + 1;
  const end = line === 0 ? endOfCharacter(patch, maxBytes) : line;
  const text = bodyOf(patch.subarray(0, end), line === 0);
  if (file === undefined) return { patch: text, truncated: true };
  const skip = (from?.path === file.path ? from.skip : 0) + end;
  return { patch: text, truncated: true, cut: file.path, next: { path: file.path, skip } };
}

function fittingSections(sections: readonly PatchSection[], maxBytes: number): readonly PatchSection[] {
  let bytes = 0;
  const end = sections.findIndex(({ patch }) => {
    bytes += patch.length;
    return bytes > maxBytes;
  });
  return end === -1 ? sections : sections.slice(0, end);
}

function textOf(sections: readonly PatchSection[]): string {
  return bodyOf(Buffer.concat(sections.map(({ patch }) => patch)));
}
