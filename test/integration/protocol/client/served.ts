import type { StdioServerParameters } from '@modelcontextprotocol/client/stdio';
import { serveHttp } from '@org/mcp-host';

import { compiledProgram } from '../../support/compiled-program.ts';
import type { Cell, Revision } from '../messages/cells.ts';
import { RawClient, type ClientOptions } from './raw-client.ts';
import { ProtocolServer } from '../server/protocol-server.ts';
import { HttpWire } from '../wires/http-wire.ts';
import { SseWire } from '../wires/sse-wire.ts';
import { StdioWire } from '../wires/stdio-wire.ts';

interface Connecting extends ClientOptions {
  /** Default: the revision that is tested. */
  readonly revision?: Revision;
}

/** A server for one protocol revision and one transport. Over stdio, each client has a server process of its own. */
export interface Served extends AsyncDisposable {
  /** URL of the server; empty over stdio. */
  readonly url: string;
  /** Connects a separate client. Over stdio, the client has a server process of its own. */
  connect(options?: Connecting): Promise<RawClient>;
  /** Ends the server in the way of an operator: SIGTERM ends each process over stdio, and the HTTP service is closed. */
  close(): Promise<void>;
}

const PROGRAM: StdioServerParameters = compiledProgram(new URL('../server/protocol-program.ts', import.meta.url));

/** Starts the server for a revision and a transport. Over stdio, only `connect` starts processes. */
export function serve(cell: Cell): Promise<Served> {
  return cell.transport === 'stdio' ? serveStdio(cell) : serveOverHttp(cell);
}

async function serveStdio({ revision }: Cell): Promise<Served> {
  const wires: StdioWire[] = [];
  return {
    url: '',
    connect: (options) =>
      RawClient.open(
        options?.revision ?? revision,
        (receiver) => {
          const wire = new StdioWire(PROGRAM, receiver);
          wires.push(wire);
          return wire;
        },
        options,
      ),
    async close() {
      for (const { program } of wires) program.kill('SIGTERM');
      await Promise.all(wires.map(({ program }) => program.ended));
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(wires.map((wire) => wire[Symbol.asyncDispose]()));
    },
  };
}

async function serveOverHttp({ revision, transport }: Cell): Promise<Served> {
  const service = await serveHttp({ '/mcp': new ProtocolServer() }, { sse: true });
  const url = `${service.url}/${transport === 'sse' ? 'sse' : 'mcp'}`;
  return {
    url,
    connect(options) {
      const spoken = options?.revision ?? revision;
      return RawClient.open(
        spoken,
        (receiver) => (transport === 'sse' ? SseWire.open(url, receiver) : new HttpWire(url, spoken, receiver)),
        options,
      );
    },
    close: () => service.close(),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}
