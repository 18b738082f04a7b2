import { existsSync } from 'node:fs';
import { chmod, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { Roots } from '@org/mcp-roots';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { Attributes } from '../../src/storage/attributes.ts';
import { writeAtomically } from '../../src/storage/write-atomically.ts';
import { connectFiles, temporaryDirectory } from '../fixtures/temporary.ts';
import { findAclProblem } from '../../src/storage/acl-check.ts';
import { accessOf, CAN_SET, fileWithAcl, run } from '../fixtures/acl.ts';

/** Creates a directory with shell scripts of these names. */
async function programsWith(scripts: Readonly<Record<string, string>>): Promise<string> {
  const directory = await temporaryDirectory();
  for (const [name, script] of Object.entries(scripts))
    await writeFile(path.join(directory, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return directory;
}

/** Shell command that runs the installed getfacl. */
const GETFACL = 'exec /usr/bin/getfacl "$@"';

async function replace(root: string, name: string, attributes: Attributes): Promise<void> {
  const roots = await Roots.open([root]);
  onTestFinished(() => roots[Symbol.asyncDispose]());
  await using place = await roots.findEntryToWrite(name);
  await writeAtomically(place, Buffer.from('new\n'), { attributes });
}

/** Creates a `cp` whose first copy never ends and writes its process id to `pidFile`. Later copies run the installed `cp`. */
async function hangingPrograms(): Promise<{ readonly programs: string; readonly pidFile: string }> {
  const pidFile = path.join(await temporaryDirectory(), 'pid');
  const cp = `case "$1" in --help) echo --attributes-only; exit ;; esac
if [ -e '${pidFile}' ]; then exec /bin/cp "$@"; fi
echo $$ >'${pidFile}'
exec sleep 1000`;
  return { programs: `${await programsWith({ cp })}:/usr/bin:/bin`, pidFile };
}

function isRunning(pid: number): boolean {
  // A zombie process no longer runs.
  return existsSync(`/proc/${pid}`) && !/^State:\tZ/m.test(run('cat', `/proc/${pid}/status`));
}

describe.runIf(process.platform === 'linux')('the program that copies attributes', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('is not looked up in the PATH of the server, which may contain directories inside the roots', async () => {
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

  it('does not inherit the environment of the server, which may load libraries and scripts from the roots', async () => {
    const root = await temporaryDirectory();
    const cp = `case "$1" in --help) echo --attributes-only; exit ;; esac\nenv >'${root}/environment'\nexec cp "$@"`;
    await writeFile(path.join(root, 'f.txt'), 'old\n');
    vi.stubEnv('LD_LIBRARY_PATH', root);
    const bin = await programsWith({ cp: cp.replace('exec cp', 'exec /bin/cp') });
    await using attributes = new Attributes({ programs: `${bin}:/usr/bin:/bin` });
    await replace(root, 'f.txt', attributes);
    const names = (await readFile(path.join(root, 'environment'), 'utf8')).split('\n').map((line) => line.split('=')[0]);
    expect(names.filter((name) => !['', 'PATH', 'LC_ALL', 'PWD', 'OLDPWD', 'SHLVL', '_'].includes(name ?? ''))).toEqual([]);
  });

  it('fails the write if it does not end, is killed, and does not stop other writes', async () => {
    const root = await temporaryDirectory();
    const { programs, pidFile } = await hangingPrograms();
    for (const name of ['a.txt', 'b.txt']) await writeFile(path.join(root, name), 'old\n');
    await using attributes = new Attributes({ programs, timeoutMs: 500 });
    const first = replace(root, 'a.txt', attributes).catch((error: unknown) => error);
    await vi.waitFor(() => expect(existsSync(pidFile)).toBe(true));
    await replace(root, 'b.txt', attributes);
    expect(await first).toMatchObject({ code: 'IO', message: expect.stringContaining('did not respond in time') });
    expect(await readFile(path.join(root, 'a.txt'), 'utf8')).toBe('old\n');
    expect(await readFile(path.join(root, 'b.txt'), 'utf8')).toBe('new\n');
    const pid = Number(await readFile(pidFile, 'utf8'));
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false));
    await replace(root, 'a.txt', attributes);
    expect(await readFile(path.join(root, 'a.txt'), 'utf8')).toBe('new\n');
  });

  it('does not keep the server from closing if it does not end', async () => {
    const root = await temporaryDirectory();
    const { programs, pidFile } = await hangingPrograms();
    await writeFile(path.join(root, 'a.txt'), 'old\n');
    const attributes = new Attributes({ programs, timeoutMs: 600_000 });
    const writing = replace(root, 'a.txt', attributes).catch((error: unknown) => error);
    await vi.waitFor(async () => expect(await readFile(pidFile, 'utf8')).toMatch(/\n/));
    await attributes[Symbol.asyncDispose]();
    await writing;
    const pid = Number(await readFile(pidFile, 'utf8'));
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false));
  });
});

describe.runIf(CAN_SET)('a file with an ACL (needs the packages acl and attr)', () => {
  it.each([
    ['another cp than that of GNU coreutils', { cp: 'echo BusyBox' }],
    ['no cp at all', {}],
    ['no cp, but getfacl', { getfacl: GETFACL }],
  ])('is not changed if the system has %s and the mode gives the group more than others', async (_, scripts) => {
    const root = await temporaryDirectory();
    const file = await fileWithAcl(root);
    const before = accessOf(file);
    await using attributes = new Attributes({ programs: await programsWith(scripts) });
    await expect(replace(root, 'f.txt', attributes)).rejects.toThrow(
      /^the ACL and extended attributes of .* cannot be preserved: cp of GNU coreutils is not installed/,
    );
    expect(await readFile(file, 'utf8')).toBe('one\n');
    expect(accessOf(file)).toBe(before);
    expect(await readdir(root)).toEqual(['f.txt']);
    await writeFile(path.join(root, 'open.txt'), 'one\n', { mode: 0o644 });
    await replace(root, 'open.txt', attributes);
    expect(await readFile(path.join(root, 'open.txt'), 'utf8')).toBe('new\n');
  });

  it.each([0o664, 0o640, 0o750])(
    'is distinguished from a file of mode %o without an ACL, which is changed if getfacl is installed',
    async (mode) => {
      const root = await temporaryDirectory();
      await writeFile(path.join(root, 'f.txt'), 'old\n');
      await chmod(path.join(root, 'f.txt'), mode);
      await using attributes = new Attributes({ programs: await programsWith({ cp: 'echo BusyBox', getfacl: GETFACL }) });
      await replace(root, 'f.txt', attributes);
      expect(await readFile(path.join(root, 'f.txt'), 'utf8')).toBe('new\n');
      expect((await stat(path.join(root, 'f.txt'))).mode & 0o777).toBe(mode);
    },
  );

  it.each([
    ['fails', 'exit 1'],
    ['does not end', 'exec /bin/sleep 1000'],
  ])('is treated as a file with an ACL if getfacl %s', async (_, getfacl) => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'f.txt'), 'old\n');
    await chmod(path.join(root, 'f.txt'), 0o640);
    await using attributes = new Attributes({ programs: await programsWith({ getfacl }), timeoutMs: 500 });
    await expect(replace(root, 'f.txt', attributes)).rejects.toMatchObject({ code: 'IO' });
  });
});

describe.runIf(process.platform === 'linux')('the check for programs at the start', () => {
  it('finds no problem with cp of GNU coreutils or getfacl', async () => {
    expect(await findAclProblem(await programsWith({ cp: '' }))).toBeUndefined();
    expect(await findAclProblem(await programsWith({ getfacl: '' }))).toBeUndefined();
  });

  it('names the programs to install on a system with BusyBox and on a system without cp', async () => {
    const small = await programsWith({ busybox: '' });
    await symlink('busybox', path.join(small, 'cp'));
    for (const programs of [small, await programsWith({})])
      expect(await findAclProblem(programs)).toMatch(/cannot be changed: .* install coreutils or acl$/);
  });
});
