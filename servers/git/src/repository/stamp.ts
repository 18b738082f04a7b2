import type { BigIntStats } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';

/**
 * Changes with the identity, size or time of any of the files, when one appears or goes, and with what a link among them leads to.
 */
export async function stampOf(files: readonly string[]): Promise<string> {
  return (await Promise.all(files.map(stampOfOne))).join('');
}

/** Changes when one of the directories is another one, not with what is in it; a file counts whole. */
export async function identityOf(places: readonly string[]): Promise<string> {
  const facts = await Promise.all(places.map(factsOf));
  return facts.map((fact) => (fact?.isDirectory() === true ? `${fact.dev}:${fact.ino};` : shown(fact))).join('');
}

async function stampOfOne(file: string): Promise<string> {
  const facts = await factsOf(file);
  if (facts?.isSymbolicLink() !== true) return shown(facts);
  return shown(facts) + shown(await stat(file, { bigint: true }).catch(() => undefined));
}

function factsOf(file: string): Promise<BigIntStats | undefined> {
  return lstat(file, { bigint: true }).catch(() => undefined);
}

function shown(facts: BigIntStats | undefined): string {
  return facts === undefined ? '-;' : `${facts.dev}:${facts.ino}:${facts.size}:${facts.mtimeNs}:${facts.ctimeNs};`;
}
