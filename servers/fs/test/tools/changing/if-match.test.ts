import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { connectFiles, temporaryDirectory, temporaryState } from '../../fixtures/temporary.ts';

/** Starts a process that repeatedly gives a name to one of two files in turn. */
async function swap(name: string, files: readonly [string, string]): Promise<void> {
  const program = path.join(await temporaryDirectory(), 'swap.cjs');
  await writeFile(
    program,
    `const { linkSync, renameSync } = require('node:fs'); const [, , name, ...files] = process.argv;
     process.send('ready');
     for (let turn = 0; ; turn += 1) { linkSync(files[turn % 2], name + '.x'); renameSync(name + '.x', name); }`,
  );
  const child = fork(program, [name, ...files]);
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'message');
}

/** Minimum number of successful and of rejected calls, so that the test covers both outcomes of the race. */
const WANTED = 20;

describe.runIf(process.platform === 'linux')('for a name whose file is swapped repeatedly, ifMatch', () => {
  it.each([
    ['copy_file', (state: string, root: string) => readFile(path.join(root, 'copy'), 'utf8').then(hashOf)],
    ['delete_file', keptHash],
  ] as const)('applies to the file that %s changes', { timeout: 60_000 }, async (tool, taken) => {
    const [root, stateDir] = [await temporaryDirectory(), temporaryState()];
    const files = [path.join(root, 'one'), path.join(root, 'other')] as const;
    for (const file of files) await writeFile(file, path.basename(file));
    await using session = await connectFiles({ directories: [root], stateDir, durability: 'fast' });
    const { structuredContent } = await session.call('get_file_info', { path: 'one' });
    const { etag } = structuredContent as { readonly etag: string };
    await swap(path.join(root, 'f'), files);
    const hashes: string[] = [];
    let refused = 0;
    while (hashes.length < WANTED || refused < WANTED) {
      const input = tool === 'copy_file' ? { source: 'f', destination: 'copy', overwrite: true } : { path: 'f' };
      const { isError } = await session.client.callTool({ name: tool, arguments: { ...input, ifMatch: etag } });
      if (isError === true) refused += 1;
      else hashes.push(await taken(stateDir, root));
    }
    expect(new Set(hashes)).toEqual(new Set([hashOf('one')]));
  });
});

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Removes the only change of the journal and returns the hash of its previous content. */
async function keptHash(stateDir: string): Promise<string> {
  const folder = path.join(stateDir, 'changes');
  const [record] = await readdir(folder);
  const text = await readFile(path.join(folder, record!), 'utf8');
  await rm(path.join(folder, record!));
  return (JSON.parse(text) as { readonly steps: readonly [{ readonly before: { readonly hash: string } }] }).steps[0].before.hash;
}
