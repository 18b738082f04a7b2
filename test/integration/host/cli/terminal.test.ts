import { fileURLToPath } from 'node:url';

import { runProgram } from '@org/mcp-testing';
import { expect, it } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../../../../servers/fs/bin/mcp-fs.js', import.meta.url));

/** Runs a program at a terminal of its own. Types Ctrl-C as soon as the output mentions it, and then prints the output. */
const AT_A_TERMINAL = `
import os, pty, sys
pid, terminal = pty.fork()
if pid == 0: os.execv(sys.argv[1], sys.argv[1:])
text = b''
while b'Ctrl-C' not in text: text += os.read(terminal, 4096)
os.write(terminal, b'\\x03')
os.waitpid(pid, 0)
sys.stdout.write(text.decode())
`;

it('a server at a terminal explains that it waits for a client', async () => {
  const { stdout } = await runProgram({
    command: 'python3',
    args: ['-c', AT_A_TERMINAL, process.execPath, PROGRAM, fileURLToPath(new URL('.', import.meta.url))],
  });
  expect(stdout).toContain('mcp-fs waits for messages of an MCP client on standard input.');
  expect(stdout).toContain('mcp-fs install claude-desktop');
});

it('a server that a client starts prints nothing', async () => {
  const { stderr } = await runProgram({
    command: process.execPath,
    args: [PROGRAM, fileURLToPath(new URL('.', import.meta.url))],
  });
  expect(stderr).toBe('');
});
