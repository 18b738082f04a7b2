import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { afterEach, describe, expect, it, vi } from 'vitest';

import { connectFiles, temporaryDirectory } from '../temporary.ts';

/** A directory with programs of these names, each a script of the shell. */
async function programsWith(scripts: Readonly<Record<string, string>>): Promise<string> {
  const directory = await temporaryDirectory();
  for (const [name, script] of Object.entries(scripts))
    await writeFile(path.join(directory, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return directory;
}

describe.runIf(process.platform === 'linux')('the program that copies attributes', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('is not looked up in the PATH of the server, which may lead into the roots', async () => {
    const root = await temporaryDirectory();
    const executed = path.join(root, 'executed');
    const planted = `touch '${executed}'; exec "/bin/$(basename "$0")" "$@"`;
    const bin = await programsWith({ cp: planted, sh: planted, getfacl: planted });
    await writeFile(path.join(root, 'f.txt'), 'old\n');
    vi.stubEnv('PATH', `${bin}:${process.env['PATH']}`);
    await using session = await connectFiles({ directories: [root] });
    await session.call('write_file', { path: 'f.txt', content: 'new\n' });
    expect(await readdir(root)).toEqual(['f.txt']);
  });
});
