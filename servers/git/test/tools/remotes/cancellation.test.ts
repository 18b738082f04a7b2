import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { platform } from 'node:os';
import path from 'node:path';

import { ERAS, type Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { gitHost, type GitHost, type HostOptions } from '../../fixtures/git-host.ts';
import { GONE_MS, processesIn, until } from '../../fixtures/processes.ts';
import { connectTo, extend } from '../../fixtures/remote-scene.ts';
import { connectGit, git, repositoryOf, temporaryDirectory, userConfiguration } from '../../fixtures/temporary.ts';

interface Scene {
  readonly host: GitHost;
  readonly root: string;
  readonly top: string;
}

/**
 * Starts a remote that stalls after `stallAfter` bytes of a large transfer, and creates a repository without the objects of the
 * remote. git receives packets of up to 64 KiB and does not process incomplete packets, so the default is more than two packets.
 */
async function stallingScene(options: HostOptions = { stallAfter: 140_000 }): Promise<Scene> {
  const host = await gitHost(options);
  await host.add('project', await repositoryOf([['Begin', { large: randomBytes(200_000).toString('base64') }]]));
  const root = await temporaryDirectory();
  const top = await repositoryOf([['Other', { a: 'x' }]], path.join(root, 'project'));
  git(top, ['remote', 'add', 'origin', host.url('project')]);
  // With this setting, git stores received objects as a pack, even if there are few.
  git(top, ['config', 'fetch.unpackLimit', '1']);
  return { host, root, top };
}

async function workshopIn(root: string): Promise<string> {
  return path.join(root, (await readdir(root)).find((name) => name.startsWith('.mcp-')) ?? '');
}

async function unfinishedIn(top: string): Promise<readonly string[]> {
  const names = await readdir(path.join(top, '.git'), { recursive: true });
  return names.filter((name) => /\.lock$|\/tmp_/.test(name));
}

describe.runIf(platform() === 'linux').each(ERAS)('a cancelled call to a remote, on a %s connection', (era) => {
  const connect = ({ host, root }: Scene): Promise<Session> =>
    connectGit({ directories: [root], remoteHosts: [host.origin] }, era);

  it('leaves no target directory and no process if it was a clone', async () => {
    const place = await stallingScene();
    await using session = await connect(place);
    const cloning = session.start('git_clone', { url: place.host.url('project'), path: 'copy' });
    await place.host.stalled;
    const workshop = await workshopIn(place.root);
    expect(await processesIn(workshop)).not.toEqual([]);
    cloning.cancel();
    await expect(cloning.result).rejects.toThrow();
    await until(async () => (await processesIn(workshop)).length === 0, GONE_MS, 'git ends');
    await until(async () => (await readdir(place.root)).length === 1, GONE_MS, 'the target is removed');
    expect(await readdir(place.root)).toEqual(['project']);
  });

  it('leaves no lock, no unfinished pack and no process if it was a fetch', async () => {
    const place = await stallingScene();
    await using session = await connect(place);
    const fetching = session.start('git_fetch');
    await place.host.stalled;
    await until(async () => (await unfinishedIn(place.top)).length > 0, 20_000, 'a pack begins');
    fetching.cancel();
    await expect(fetching.result).rejects.toThrow();
    await until(async () => (await processesIn(place.top)).length === 0, GONE_MS, 'git ends');
    await until(async () => (await unfinishedIn(place.top)).length === 0, GONE_MS, 'the pack is removed');
    expect(git(place.top, ['for-each-ref', 'refs/remotes'])).toBe('');
    expect(await session.text('git_status')).toContain('On branch main');
  });

  it('leaves no process if it was a push, and does not block other calls', async () => {
    const place = await stallingScene({
      answer: (request) => request.method === 'POST' && request.url?.endsWith('git-receive-pack') === true,
    });
    extend(place.top, 'Mine');
    git(place.top, ['branch', 'mine']);
    await using session = await connect(place);
    const pushing = session.start('git_push', { branch: 'mine' });
    await until(() => Promise.resolve(place.host.requests.at(-1)?.startsWith('POST') === true), 20_000, 'the push begins');
    pushing.cancel();
    await expect(pushing.result).rejects.toThrow();
    await until(async () => (await processesIn(place.top)).length === 0, GONE_MS, 'git ends');
    await session.call('git_create_branch', { branch_name: 'next' });
    expect(await unfinishedIn(place.top)).toEqual([]);
  });

  it('ends when its connection closes', async () => {
    const place = await stallingScene();
    const session = await connect(place);
    const ended = session.call('git_clone', { url: place.host.url('project'), path: 'copy' }).catch((error: unknown) => error);
    await place.host.stalled;
    const workshop = await workshopIn(place.root);
    await session[Symbol.asyncDispose]();
    expect(await ended).toBeInstanceOf(Error);
    await until(async () => (await processesIn(workshop)).length === 0, GONE_MS, 'git ends');
    await until(async () => (await readdir(place.root)).length === 1, GONE_MS, 'the target is removed');
  });
});

describe('a remote that stalls', () => {
  it('makes a call fail after a timeout, without leftover files', async () => {
    const place = await stallingScene();
    const config = `[http "${place.host.origin}"]\n\tlowSpeedLimit = 1000\n\tlowSpeedTime = 1\n`;
    await userConfiguration(config);
    await using session = await connectTo(place);
    expect(await session.fails('git_fetch')).toMatch(/^TIMEOUT: the remote did not respond in time/);
    expect(await session.fails('git_clone', { url: place.host.url('project'), path: 'copy' })).toMatch(/^TIMEOUT/);
    expect(await readdir(place.root)).toEqual(['project']);
    expect(await unfinishedIn(place.top)).toEqual([]);
  });
});
