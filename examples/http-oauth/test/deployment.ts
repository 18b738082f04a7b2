import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { type RunningProgram, startProgram } from '@org/mcp-testing';

import type { Issuer } from './issuer.js';

const PROGRAM = new URL('../dist/main.js', import.meta.url).pathname;
const CONFIGURATION = new URL('../nginx.conf', import.meta.url);

/** Two processes of the server behind nginx, with a shared key and a Redis server as bus. */
export interface Deployment extends AsyncDisposable {
  /** Address for clients. */
  readonly url: string;
  readonly processes: readonly RunningProgram[];
}

/** Starts the deployment, which accepts the tokens of an issuer for the given audience. */
export async function deploy(issuer: Issuer, audience: string): Promise<Deployment> {
  const directory = await realpath(await mkdtemp(path.join(tmpdir(), 'http-oauth-')));
  const [proxyPort, busPort] = await Promise.all([freePort(), freePort()]);
  const started: RunningProgram[] = [];
  const start = async (command: string, args: readonly string[], isReady: (text: string) => boolean): Promise<string> => {
    const program = startProgram({ command, args: [...args] });
    started.push(program);
    return Promise.race([program.stderr.next(isReady), program.stdout.next(isReady)]);
  };
  await start('redis-server', ['--port', String(busPort), '--bind', '127.0.0.1', '--save', '', '--dir', directory], (text) =>
    text.includes('eady to accept connections'),
  );
  await writeFile(path.join(directory, 'key'), 'the same 32 or more bytes for all processes', { mode: 0o600 });
  const options = {
    http: '127.0.0.1:0',
    'public-url': `http://127.0.0.1:${proxyPort}`,
    'allowed-hosts': '127.0.0.1',
    'auth-issuer': issuer.url,
    'auth-audience': audience,
    'state-key-file': path.join(directory, 'key'),
    bus: `redis://127.0.0.1:${busPort}`,
  };
  const flags = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  const serve = (): Promise<string> => start(process.execPath, [PROGRAM, ...flags], (text) => text.includes('serves at'));
  const ports = [await serve(), await serve()].map((line) => /:(\d+)\/mcp/.exec(line)?.[1] ?? '');
  const [first = '', second = ''] = ports;
  const values = { DIRECTORY: directory, FIRST_PORT: first, SECOND_PORT: second, PROXY_PORT: String(proxyPort) };
  const text = await readFile(CONFIGURATION, 'utf8');
  const file = path.join(directory, 'nginx.conf');
  await writeFile(
    file,
    Object.entries(values).reduce((edited, [name, value]) => edited.replaceAll(name, value), text),
  );
  const proxy = startProgram({ command: 'nginx', args: ['-p', directory, '-c', file, '-e', 'stderr', '-g', 'user root;'] });
  started.push(proxy);
  const url = `http://127.0.0.1:${proxyPort}/mcp`;
  await untilAnswered(url);
  return {
    url,
    processes: started.slice(1, 3),
    async [Symbol.asyncDispose]() {
      for (const program of started.toReversed()) await program[Symbol.asyncDispose]();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Waits until the proxy accepts connections; nginx does not report when it is ready. */
async function untilAnswered(url: string): Promise<void> {
  for (;;) {
    const answer = await fetch(url, { method: 'POST' }).catch(() => undefined);
    if (answer !== undefined) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => void server.close(resolve));
  return port;
}
