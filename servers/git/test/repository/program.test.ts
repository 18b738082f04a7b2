import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { afterEach, describe, expect, it, vi } from 'vitest';

import { connectGit, repositoryOf, temporaryDirectory } from '../temporary.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('the git of the machine', () => {
  it('is refused where it is too old to be kept from running what is planted', async () => {
    const top = await repositoryOf([['Begin', { a: 'x' }]]);
    const bin = await temporaryDirectory();
    await writeFile(path.join(bin, 'git'), '#!/bin/sh\necho git version 2.37.9\n');
    await chmod(path.join(bin, 'git'), 0o755);
    vi.stubEnv('PATH', `${bin}:${process.env['PATH']}`);
    await using session = await connectGit({ directories: [top] });
    expect(await session.fails('git_status')).toMatch(/^GIT_TOO_OLD: git 2\.37\.9 .*\ninstall git 2\.38 or newer$/);
  });

  it('is missed where there is none', async () => {
    const top = await repositoryOf([['Begin', { a: 'x' }]]);
    vi.stubEnv('PATH', await temporaryDirectory());
    await using session = await connectGit({ directories: [top] });
    expect(await session.fails('git_status')).toMatch(/^GIT_NOT_FOUND: git could not be started/);
  });
});
