import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';

import { readFileBelow, readLineBelow } from '../guard/state-file.ts';
import { decodeBody, splitLines } from '../parse/fields.ts';
import { readHead } from '../refs/head.ts';
import { isAncestor, requireMergeBase } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';
import { cutSubject } from '../../text/cut.ts';
import { shortOid } from '../../text/format.ts';

export type Judgement = 'good' | 'bad' | 'skip';

/** The judged commits of a bisect. */
interface Judged {
  readonly bad: string | undefined;
  readonly good: readonly string[];
  readonly skipped: ReadonlySet<string>;
}

/** Progress of a bisect. */
export interface BisectState {
  /**
   * waiting: a good or a bad commit is missing; testing: `next` is to be judged; found: the only suspect is the first bad commit;
   * inconclusive: only skipped commits are left.
   */
  readonly state: 'waiting' | 'testing' | 'found' | 'inconclusive';
  readonly next?: string;
  /** Commits that may be the first bad commit, for the states `found` and `inconclusive`. */
  readonly suspects: readonly string[];
  /** Number of all commits that may be the first bad commit; 0 in the state `waiting`. */
  readonly remaining: number;
}

/** Maximum size of the log of a bisect, in bytes. */
const MAX_LOG = 4_194_304;
/** Names of the state files of git without the prefix `BISECT_`, in the order in which git removes these files. */
const FILES = ['EXPECTED_REV', 'ANCESTORS_OK', 'LOG', 'RUN', 'TERMS', 'NAMES', 'FIRST_PARENT', 'HEAD', 'START'];

/**
 * Begins a bisect with the state files of git, so that git on the command line can continue the bisect. `git bisect` itself is not
 * used: it ignores `core.hooksPath` and runs a hook of the repository for each change of a reference.
 */
export async function beginBisect(repository: Repository, bad: string, good: readonly string[]): Promise<void> {
  for (const oid of good) await requireOlder(repository, oid, bad);
  const { branch, oid } = await readHead(repository);
  await writeState(repository, 'TERMS', 'bad\ngood\n');
  await writeState(repository, 'NAMES', '\n');
  await writeState(repository, 'START', `${branch ?? oid ?? ''}\n`);
  await writeState(repository, 'LOG', 'git bisect start\n');
  await record(repository, 'bad', bad);
  for (const each of good) await record(repository, 'good', each);
}

/**
 * Records a judgement.
 *
 * @throws ToolError INVALID_ARGUMENTS if a good commit would not be an ancestor of the bad commit, or for a bisect with other
 * terms than good and bad; NO_MERGE_BASE for commits without a common ancestor
 */
export async function judgeCommit(repository: Repository, judgement: Judgement, oid: string): Promise<void> {
  const terms = (await readFileBelow(repository.layout.gitDir, 'BISECT_TERMS', MAX_LOG))?.toString('utf8') ?? 'bad\ngood\n';
  if (terms !== 'bad\ngood\n')
    throw new ToolError('INVALID_ARGUMENTS', 'the bisect was started with other terms than good and bad', {
      hint: 'continue with git on the command line, or end the bisect with action: reset',
    });
  const { bad, good } = await readJudged(repository);
  if (judgement === 'good' && bad !== undefined) await requireOlder(repository, oid, bad);
  if (judgement === 'bad') for (const each of good) await requireOlder(repository, each, oid);
  await record(repository, judgement, oid);
}

/** Computes the state of the bisect in progress: the next commit to judge, or the commits that may be the first bad commit. */
export async function readBisect(repository: Repository): Promise<BisectState> {
  const { bad, good, skipped } = await readJudged(repository);
  if (bad === undefined || good.length === 0) return { state: 'waiting', suspects: [], remaining: 0 };
  const input = `${bad}\n${good.map((oid) => `^${oid}\n`).join('')}`;
  const first = (await readFileBelow(repository.layout.gitDir, 'BISECT_FIRST_PARENT', 1)) === undefined ? [] : ['--first-parent'];
  const list = async (flags: readonly string[]): Promise<readonly string[]> =>
    splitLines((await repository.read(['rev-list', ...first, ...flags, '--stdin'], { input })).stdout);
  const remaining = Number((await list(['--count']))[0]);
  if (remaining <= 1) return { state: 'found', suspects: [bad], remaining };
  const [middle = bad] = await list(['--bisect']);
  if (!skipped.has(middle)) return { state: 'testing', next: middle, suspects: [], remaining };
  // The list of git begins with the commit that divides the remaining commits most evenly.
  const ordered = (await list(['--bisect-all'])).map((line) => line.split(' ')[0] ?? '');
  const next = ordered.find((oid) => oid !== bad && !skipped.has(oid));
  if (next === undefined) return { state: 'inconclusive', suspects: ordered, remaining };
  return { state: 'testing', next, suspects: [], remaining };
}

/** Records the first bad commit in the log. */
export async function recordFound(repository: Repository, oid: string): Promise<void> {
  await appendLog(repository, `# first bad commit: [${oid}] ${await readSubject(repository, oid)}\n`);
}

/** Returns the judgements in the log of the bisect, such as `bad: [<oid>] subject`. */
export async function readBisectLog({ layout }: Repository): Promise<readonly string[]> {
  const log = decodeBody((await readFileBelow(layout.gitDir, 'BISECT_LOG', MAX_LOG)) ?? Buffer.of());
  return log.split('\n').flatMap((line) => /^# ((?:good|bad|skip|old|new): \[.*)$/.exec(line)?.[1] ?? []);
}

/** Returns the short name of the branch, or the commit, from which the bisect started. */
export function readBisectStart({ layout }: Repository): Promise<string> {
  return readLineBelow(layout.gitDir, 'BISECT_START');
}

/** Removes the state of the bisect in progress. HEAD does not move. */
export async function endBisect(repository: Repository): Promise<void> {
  const refs = splitLines((await repository.read(['for-each-ref', '--format=%(refname)', 'refs/bisect'])).stdout);
  await repository.write(['update-ref', '--no-deref', '--stdin'], { input: refs.map((ref) => `delete ${ref}\n`).join('') });
  for (const name of FILES) await rm(path.join(repository.layout.gitDir, `BISECT_${name}`), { force: true });
}

export async function readSubject(repository: Repository, oid: string): Promise<string> {
  const command = ['log', '--no-show-signature', '--encoding=UTF-8', '--max-count=1', '--format=%s', oid, '--'];
  return cutSubject(decodeBody((await repository.read(command)).stdout).trimEnd());
}

async function readJudged(repository: Repository): Promise<Judged> {
  const command = ['for-each-ref', '--format=%(objectname) %(refname:lstrip=2)', 'refs/bisect'];
  const refs = splitLines((await repository.read(command)).stdout).map((line) => line.split(' '));
  const named = (name: string): readonly string[] => refs.flatMap(([oid = '', ref = '']) => (ref.startsWith(name) ? [oid] : []));
  return { bad: named('bad')[0], good: named('good-'), skipped: new Set(named('skip-')) };
}

/**
 * @throws ToolError INVALID_ARGUMENTS if the good commit is not an ancestor of the bad commit; NO_MERGE_BASE for commits without
 * a common ancestor
 */
async function requireOlder(repository: Repository, good: string, bad: string): Promise<void> {
  if (good === bad) throw new ToolError('INVALID_ARGUMENTS', 'the same commit is good and bad');
  if (await isAncestor(repository, good, bad)) return;
  const base = await requireMergeBase(repository, good, bad);
  throw new ToolError(
    'INVALID_ARGUMENTS',
    `the good commit ${shortOid(good)} is not an ancestor of the bad commit ${shortOid(bad)}`,
    {
      hint: `good and bad may be interchanged; otherwise, test their merge base ${shortOid(base)} and use it as good`,
    },
  );
}

async function record(repository: Repository, judgement: Judgement, oid: string): Promise<void> {
  await repository.write(['update-ref', `refs/bisect/${judgement === 'bad' ? 'bad' : `${judgement}-${oid}`}`, oid]);
  const subject = await readSubject(repository, oid);
  await appendLog(repository, `# ${judgement}: [${oid}] ${subject}\ngit bisect ${judgement} ${oid}\n`);
}

async function appendLog(repository: Repository, text: string): Promise<void> {
  const log = (await readFileBelow(repository.layout.gitDir, 'BISECT_LOG', MAX_LOG)) ?? Buffer.of();
  await writeState(repository, 'LOG', Buffer.concat([log, Buffer.from(text)]));
}

/** Replaces a state file. A link in its place is replaced, too, and not followed. */
async function writeState({ layout }: Repository, name: string, content: string | Buffer): Promise<void> {
  const temporary = path.join(layout.gitDir, `mcp-bisect-${randomUUID()}`);
  await writeFile(temporary, content, { flag: 'wx' });
  await rename(temporary, path.join(layout.gitDir, `BISECT_${name}`));
}

/** Records the commit that is checked out to be judged. */
export function recordExpected(repository: Repository, oid: string): Promise<void> {
  return writeState(repository, 'EXPECTED_REV', `${oid}\n`);
}
