import type { Part } from './job.ts';

/**
 * Whether a file belongs to one part of a search. It depends on nothing but its path: what comes and goes meanwhile moves no other file to
 * another part.
 */
export function isOwn(relative: string, { index, of }: Part): boolean {
  if (of === 1) return true;
  let hash = 0;
  for (let at = Math.max(0, relative.length - HASHED); at < relative.length; at += 1)
    hash = (Math.imul(hash, 31) + relative.charCodeAt(at)) | 0;
  return (hash >>> 8) % of === index;
}

/** Characters at the end of a path that tell its part; they are the most different ones. */
const HASHED = 24;
