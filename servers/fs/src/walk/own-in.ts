import type { Part } from './job.ts';

/** Tells of a name whether what has it is for one part of a search. */
export type IsOwn = (name: string) => boolean;

/**
 * What is for one part in a directory. It depends on nothing but paths: what comes and goes meanwhile moves no other file to another
 * part.
 */
export function ownIn(relative: string, { index, of }: Part): IsOwn {
  const above = hashOf(relative, 0);
  return (name) => (hashOf(name, above) >>> 8) % of === index;
}

function hashOf(text: string, start: number): number {
  let hash = start;
  for (let at = Math.max(0, text.length - HASHED); at < text.length; at += 1)
    hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return hash;
}

/** Characters at the end that count; they are the most different ones. */
const HASHED = 24;
