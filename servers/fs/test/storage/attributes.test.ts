import { chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { connectFiles, temporaryDirectory } from '../fixtures/temporary.ts';
import { accessOf, CAN_SET, fileWithAcl, run, works } from '../fixtures/acl.ts';

type Change = (session: Session, file: string) => Promise<unknown>;

const CHANGES: readonly (readonly [tool: string, change: Change])[] = [
  ['append_file', (session, file) => session.call('append_file', { path: file, content: 'two\n' })],
  ['write_file', (session, file) => session.call('write_file', { path: file, content: 'two\n' })],
  ['edit_file', (session, file) => session.call('edit_file', { path: file, edits: [{ oldText: 'one', newText: 'two' }] })],
  [
    'replace_in_files',
    (session, file) => session.call('replace_in_files', { path: path.dirname(file), pattern: 'one', replacement: 'two' }),
  ],
  [
    'copy_file',
    async (session, file) => {
      await session.call('write_file', { path: `${file}.new`, content: 'two\n' });
      await session.call('copy_file', { source: `${file}.new`, destination: file, overwrite: true });
    },
  ],
  [
    'undo_change',
    async (session, file) => {
      const { structuredContent } = await session.call('append_file', { path: file, content: 'two\n' });
      await session.call('undo_change', { undoId: (structuredContent as { readonly undoId: string }).undoId });
      await session.call('append_file', { path: file, content: 'three\n' });
    },
  ],
];

describe.runIf(CAN_SET)('a file with an ACL and attributes (needs the packages acl and attr)', () => {
  it.each(CHANGES)('keeps its ACL and attributes when it is changed by %s', async (_, change) => {
    const root = await temporaryDirectory();
    const file = await fileWithAcl(root);
    const before = accessOf(file);
    expect(before).toContain('group::---');
    await using session = await connectFiles({ directories: [root] });
    await change(session, file);
    expect(await readFile(file, 'utf8')).not.toBe('one\n');
    expect(accessOf(file)).toBe(before);
  });

  it('loses capabilities, because the content changes', async () => {
    const root = await temporaryDirectory();
    const file = await fileWithAcl(root);
    const capability = '0x0100000200040000000000000000000000000000';
    if (!works('setfattr', '--name', 'security.capability', '--value', capability, file)) return;
    await using session = await connectFiles({ directories: [root] });
    await session.call('append_file', { path: file, content: 'two\n' });
    expect(run('getfattr', '--dump', '--match', '-', '--absolute-names', file)).not.toContain('security.capability');
  });

  it('has an ACL after a change in a directory with a default ACL only if it had one before', async () => {
    const root = await temporaryDirectory();
    const file = path.join(root, 'f.txt');
    await writeFile(file, 'one\n');
    await chmod(file, 0o640);
    run('setfacl', '--default', '--modify', 'user:1001:rw', root);
    const before = accessOf(file);
    await using session = await connectFiles({ directories: [root] });
    await session.call('append_file', { path: file, content: 'two\n' });
    expect(accessOf(file)).toBe(before);
    expect(before).not.toContain('1001');
    await session.call('write_file', { path: path.join(root, 'new.txt'), content: 'x' });
    expect(accessOf(path.join(root, 'new.txt'))).toContain('user:1001:rw');
  });

  it('keeps its ACL and attributes in concurrent changes', async () => {
    const root = await temporaryDirectory();
    const file = await fileWithAcl(root);
    const before = accessOf(file);
    await using session = await connectFiles({ directories: [root] });
    await Promise.all(
      Array.from({ length: 10 }, (_, index) => session.call('append_file', { path: file, content: `${index}\n` })),
    );
    expect((await readFile(file, 'utf8')).split('\n').length).toBe(12);
    expect(accessOf(file)).toBe(before);
  });
});
