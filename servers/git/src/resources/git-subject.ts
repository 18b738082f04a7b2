import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { ToolError } from '@org/mcp-decorators';
import type { Place, Subject } from '@org/mcp-watch';

import { oidOf } from '../repository/object.ts';
import { pathInside } from '../repository/paths.ts';
import type { Ground } from '../repository/places.ts';
import type { Repository } from '../repository/repository.ts';
import { resolveCommit } from '../repository/revision.ts';
import { areImmutable, isAbsence } from './contents.ts';
import { IgnoredDirectories } from './ignored-directories.ts';
import { indexPlaces, refPlaces, workTreePlaces } from './places-of.ts';
import { readStagedDiff, readUnstagedDiff } from './read-diff.ts';
import { readConflicts } from './read-conflict.ts';
import { readHead } from './read-head.ts';
import { readRefs } from './read-refs.ts';
import { readStatus } from './read-status.ts';
import { revisionsOf, type NamingUri } from './uris.ts';

/** A resource as its URI says it: the name of its template, and the variables. */
export interface Named {
  readonly uri: string;
  readonly name: string;
  readonly variables: NamingUri;
}

/** Opens the repository anew: one that is no longer used is not run in. */
type Open = () => Promise<Repository>;

interface Watched {
  readonly places: (ground: Ground, open: Open) => readonly Place[];
  readonly value: (repository: Repository) => Promise<unknown>;
}

/** What does not depend on a revision. Looking takes no locks, so it changes nothing that is watched. */
const WATCHED: Readonly<Record<string, Watched>> = {
  status: { places: inWorkTree, value: readStatus },
  diff_unstaged: { places: inWorkTree, value: readUnstagedDiff },
  diff_staged: { places: indexPlaces, value: readStagedDiff },
  conflict: { places: indexPlaces, value: readConflicts },
  head: { places: refPlaces, value: readHead },
  refs: { places: refPlaces, value: readRefs },
};

/** git is at work while one of these is there; its work is one change. */
const LOCKS = ['index.lock', 'HEAD.lock'];
const LONGEST_LOCK_MS = 1000;
/** A change is told once it has lasted for so long: a branch switch moves files, index and HEAD one after the other. */
const REST_MS = 30;
const MAX_LOOKS = 5;

/** What to watch for a resource of a repository that is there. What a full object name leads to never changes. */
export function gitSubject(named: Named, { ground }: Repository, open: Open): Subject {
  const names = revisionsOf(named.variables);
  if (areImmutable(names)) return { key: 'immutable', places: [], fingerprint: () => '' };
  const { places, value } = WATCHED[named.name] ?? revisions(names, named.variables.path);
  return {
    key: named.uri,
    places: places(ground, open),
    fingerprint: settled(async () => {
      await unlocked(ground);
      return digestOf(open, value);
    }),
  };
}

/** What a branch or a tag leads to, which without a revision is HEAD; or what that has at a path. */
function revisions(names: readonly string[], path: string | undefined): Watched {
  const given = names.length === 0 ? ['HEAD'] : names;
  return { places: refPlaces, value: (repository) => Promise.all(given.map((name) => objectAt(repository, name, path))) };
}

async function objectAt(repository: Repository, revision: string, path: string | undefined): Promise<string> {
  const oid = await resolveCommit(repository, revision);
  if (path === undefined || path === '') return oid;
  const name = `${oid}:${pathInside(repository, path)}`;
  return (await oidOf(repository, name)) ?? '';
}

function inWorkTree(ground: Ground, open: Open): readonly Place[] {
  return ground.isBare ? indexPlaces(ground) : workTreePlaces(ground, new IgnoredDirectories(ground.top, open));
}

async function digestOf(open: Open, value: Watched['value']): Promise<string> {
  try {
    return createHash('sha256')
      .update(JSON.stringify(await value(await open())))
      .digest('base64url');
  } catch (error) {
    if (ToolError.is(error) && isAbsence(error)) return 'absent';
    throw error;
  }
}

/** Looks until it sees the same twice, where that is not what it saw before. */
function settled(look: () => Promise<string>): () => Promise<string> {
  let last: string | undefined;
  return async () => {
    let seen = await look();
    for (let looks = 1; last !== undefined && seen !== last && looks < MAX_LOOKS; looks += 1) {
      await delay(REST_MS, undefined, { ref: false });
      const before = seen;
      seen = await look();
      if (seen === before) break;
    }
    last = seen;
    return seen;
  };
}

async function unlocked({ gitDir }: Ground): Promise<void> {
  const deadline = performance.now() + LONGEST_LOCK_MS;
  while (performance.now() < deadline && isLocked(gitDir)) await delay(REST_MS, undefined, { ref: false });
}

function isLocked(gitDir: string): boolean {
  return LOCKS.some((name) => existsSync(join(gitDir, name)));
}
