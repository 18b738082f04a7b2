import path from 'node:path';

import type { OperatorLog } from '@org/mcp-host';
import { connect, connectHttp, type ReportedRoot } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { FilesystemServer } from '../../src/index.ts';
import { place, rootsAt } from '../fixtures/rooted.ts';
import { optionsWith } from '../fixtures/temporary.ts';

/** A server whose log a test can read. */
class LoggingServer extends FilesystemServer {
  readonly lines: string[] = [];

  override open(): Promise<void> {
    const log = (level: string) => (message: string) => void this.lines.push(`${level} ${message}`);
    const operator: OperatorLog = { info: log('info'), warning: log('warning'), audit: log('audit') };
    return super.open(operator);
  }
}

const WAYS = [
  ['a session in memory', connect, 'legacy'],
  ['a modern connection in memory', connect, 'modern'],
  ['a session over HTTP', connectHttp, 'legacy'],
  ['modern requests over HTTP', connectHttp, 'modern'],
] as const;

describe.each(WAYS)('the log of a server, in %s,', (_, join, era) => {
  it('has one line for each change of the effect of roots, for any number of calls', async () => {
    const root = await place();
    const open = path.join(root, 'open');
    const server = new LoggingServer(optionsWith({ directories: [root] }));
    let roots: readonly ReportedRoot[] = [];
    await using session = await join(server, { era, roots: () => roots });
    const callTwice = async (next: readonly ReportedRoot[]): Promise<readonly string[]> => {
      roots = next;
      const before = server.lines.length;
      await session.client.sendRootsListChanged().catch(() => undefined);
      for (let call = 0; call < 2; call += 1) await session.client.callTool({ name: 'list_allowed_directories' });
      return server.lines.slice(before);
    };
    expect(await callTwice([])).toEqual([]);
    expect(await callTwice(rootsAt(open))).toEqual([
      `info the client's roots (${open}) narrow the server's directories (${root}); --roots off ignores the client's roots`,
    ]);
    expect(await callTwice(rootsAt('/elsewhere'))).toEqual([
      `warning the client's roots (/elsewhere) exclude the server's directories (${root}), so no path is allowed; open the client in one of the server's directories, or start the server with --roots overlap`,
    ]);
  });
});

describe('the log of a server', () => {
  it('has a line when roots no longer have an effect', async () => {
    const root = await place();
    const server = new LoggingServer(optionsWith({ directories: [root] }));
    let roots = rootsAt(path.join(root, 'open'));
    await using session = await connect(server, { roots: () => roots });
    await session.text('list_allowed_directories');
    roots = [];
    await session.text('list_allowed_directories');
    expect(server.lines.slice(1)).toEqual(["info the client's roots no longer change the server's directories"]);
  });
});
