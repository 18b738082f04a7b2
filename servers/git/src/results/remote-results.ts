import { Result, visibleName } from '@org/mcp-decorators';

import type { ClonedRepository } from '../operations/git-clone.ts';
import type { FetchedRefs, UpdatedRef } from '../operations/git-fetch.ts';
import type { MadeRepository } from '../operations/git-init.ts';
import type { PulledCommits } from '../operations/git-pull.ts';
import type { PushedRef, PushedRefs } from '../operations/git-push.ts';
import type { Remote, RemoteList } from '../operations/git-remote-list.ts';
import { counted } from '../text/counted.ts';
import { short } from '../text/short.ts';
import { withRecovery } from './recovery.ts';
import { restOf } from './rest-of.ts';

export function initResult(made: MadeRepository): Result {
  const branch = made.branch === undefined ? '' : `, on branch ${visibleName(made.branch)}`;
  return Result.of(made, `Made an empty ${made.bare ? 'bare ' : ''}repository in ${visibleName(made.path)}${branch}`);
}

export function cloneResult(cloned: ClonedRepository): Result {
  const { url, path, branch, oid } = cloned;
  const head = oid === undefined ? ', which has no commits' : `, at ${short(oid)}`;
  const place = branch === undefined ? '' : ` on ${visibleName(branch)}`;
  return Result.of(cloned, `Cloned ${visibleName(url)} into ${visibleName(path)}${head}${place}`);
}

export function remotesResult(list: RemoteList): Result {
  const lines = list.remotes.map(remoteLine);
  if (list.next_cursor !== undefined) lines.push(restOf(list, list.remotes.length, 'remotes'));
  return Result.of(list, lines.length === 0 ? 'No remotes' : lines.join('\n'));
}

export function remoteResult(remote: Remote, done: string): Result {
  return Result.of(remote, `${done} ${remoteLine(remote)}`);
}

export function fetchResult(fetched: FetchedRefs): Result {
  const from = `${visibleName(fetched.remote)} (${visibleName(fetched.url)})`;
  const lines = [...fetched.updated.map(refLine), ...(fetched.truncated ? ['… more were updated'] : [])];
  const text = lines.length === 0 ? `Nothing new at ${from}` : [`Fetched from ${from}`, ...lines].join('\n');
  return Result.of(fetched, text);
}

export function pullResult(pulled: PulledCommits): Result {
  const { outcome, branch, remote, before, after, commits } = pulled;
  const from = before === undefined ? '' : ` from ${short(before)}`;
  const done = outcome === 'merged' ? 'Merged into' : outcome === 'rebased' ? 'Rebased' : 'Moved';
  return withRecovery(
    pulled,
    commits === 0
      ? `${visibleName(branch)} has all that ${visibleName(remote)} has`
      : `${done} ${visibleName(branch)}${from} to ${short(after)}: ${counted(commits, 'new commit')}`,
  );
}

export function pushResult(pushed: PushedRefs): Result {
  const { remote, url, refs, upstream, backup, messages } = pushed;
  const lines = [
    `Pushed to ${visibleName(remote)} (${visibleName(url)})`,
    ...refs.map(refLine),
    ...(upstream === undefined ? [] : [`The branch follows ${visibleName(upstream)}`]),
    ...(backup === undefined ? [] : [`What was there is kept as ${backup}`]),
    // What it says is for the user; to a model it could be instructions.
    ...(messages.length === 0 ? [] : [`The remote sent ${counted(messages.length, 'line')} of its own`]),
  ];
  return Result.of(pushed, lines.join('\n'));
}

function remoteLine({ name, url, push_url }: Remote): string {
  return `${visibleName(name)} ${visibleName(url)}${push_url === undefined ? '' : ` (push: ${visibleName(push_url)})`}`;
}

function refLine({ ref, outcome, before, after }: UpdatedRef | PushedRef): string {
  const range = [before, after].filter((oid) => oid !== undefined).map(short);
  return `${outcome.replaceAll('_', ' ')} ${visibleName(ref)} ${range.join(' → ')}`.trimEnd();
}
