import { takeFittingItems } from '@org/mcp-host';

import { findCharacterEnd } from '../../text/utf8.ts';
import type { DiffFile, PatchSection } from '../parse/patch-reader.ts';
import { decodePatch } from './patch-names.ts';

/** A position in a diff: a file, and a byte within the patch of that file. */
export interface DiffPosition {
  readonly path: string;
  /** Bytes to skip at the start of the patch of this file. */
  readonly skip: number;
  /** Whether the file has a combined diff, as in a merge or a conflict. Git cannot start a diff at such a file. */
  readonly combined: boolean;
}

/** A file of a diff. */
export interface ChangedPath extends DiffFile {
  /** `true` if the patch was omitted because the file is generated. */
  readonly excluded?: true;
}

/** The part of a diff that fits into one result. */
export interface DiffPage {
  /** Patches of whole files, unless the first file alone is too large. */
  readonly patch: string;
  readonly files?: readonly ChangedPath[];
  readonly truncated: boolean;
  /** Path of the file within which the patch was cut. */
  readonly cut?: string;
  /** The start of the next page, if it is known. */
  readonly next?: Omit<DiffPosition, 'combined'>;
}

interface Part {
  readonly maxBytes: number;
  readonly from?: DiffPosition | undefined;
}

/**
 * Returns the files that fit, without their patches. All changes of one file are on the same page, because a cursor names a file.
 */
export function pageNames(all: readonly ChangedPath[], most: number, maxBytes: number): DiffPage {
  const { length } = takeFittingItems(all.slice(0, most), maxBytes);
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

/** Returns the patches of whole files that fit. If the first patch alone is too large, returns the beginning of that patch. */
export function pagePatch(found: readonly PatchSection[], part: Part): DiffPage {
  const sections = skipShown(joinSections(found), part.from);
  const fits = takeFitting(sections, part.maxBytes);
  if (fits.length === sections.length) return { patch: decodeSections(fits), truncated: false };
  const [first] = sections;
  if (fits.length === 0 && first !== undefined) return cutSection(first, part);
  const next = sections[fits.length]?.file?.path;
  return { patch: decodeSections(fits), truncated: true, ...(next !== undefined && { next: { path: next, skip: 0 } }) };
}

/**
 * Joins the sections of one file, because a cursor names a file. Git writes two sections if the type of a file changed, or if one
 * side of a conflict deleted the file.
 */
function joinSections(sections: readonly PatchSection[]): readonly PatchSection[] {
  const files: { file: PatchSection['file']; pieces: Buffer[] }[] = [];
  for (const { file, patch } of sections) {
    const last = files.at(-1);
    if (file !== undefined && last?.file?.path === file.path) last.pieces.push(patch);
    else files.push({ file, pieces: [patch] });
  }
  return files.map(({ file, pieces }) => ({ file, patch: Buffer.concat(pieces) }));
}

/** Removes the part of the first file that an earlier page contained. */
function skipShown(sections: readonly PatchSection[], from: DiffPosition | undefined): readonly PatchSection[] {
  const [first, ...others] = sections;
  if (from === undefined || from.skip === 0 || first?.file?.path !== from.path) return sections;
  return [{ ...first, patch: first.patch.subarray(from.skip) }, ...others];
}

/** Cuts the patch of a file that is larger than the page, at a line ending if possible. */
function cutSection({ file, patch }: PatchSection, { maxBytes, from }: Part): DiffPage {
  const line = patch.lastIndexOf('\n', maxBytes - 1) + 1;
  const end = line === 0 ? findCharacterEnd(patch, maxBytes) : line;
  const text = decodePatch(patch.subarray(0, end), line === 0);
  if (file === undefined) return { patch: text, truncated: true };
  const skip = (from?.path === file.path ? from.skip : 0) + end;
  return { patch: text, truncated: true, cut: file.path, next: { path: file.path, skip } };
}

function takeFitting(sections: readonly PatchSection[], maxBytes: number): readonly PatchSection[] {
  let bytes = 0;
  const end = sections.findIndex(({ patch }) => {
    bytes += patch.length;
    return bytes > maxBytes;
  });
  return end === -1 ? sections : sections.slice(0, end);
}

function decodeSections(sections: readonly PatchSection[]): string {
  return decodePatch(Buffer.concat(sections.map(({ patch }) => patch)));
}
