import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { type RunningProgram, startProgram } from '@org/mcp-testing';

import type { Issuer } from './issuer.js';

/** The directory of the package. Some test runners compile the tests to `build/test`, one directory deeper. */
const PACKAGE = new URL(import.meta.url.endsWith('.ts') ? '../' : '../../', import.meta.url);
const PROGRAM = new URL('dist/main.js', PACKAGE).pathname;
const CONFIGURATION = new URL('nginx.conf', PACKAGE);

/** Two processes of the server behind nginx, with a shared key and a Redis server as bus. */
export interface Deployment extends AsyncDisposable {
  /** Address for clients. */
  readonly url: string;
  readonly processes: readonly RunningProgram[];
}

/** Starts the deployment, which accepts the tokens of an issuer for the given audience. */
export async function deploy(issuer: Issuer, audience: string): Promise<Deployment> {
  const directory = await realpath(await mkdtemp(path.join(tmpdir(), 'http-oauth-')));
  const started: RunningProgram[] = [];
  const release = async (): Promise<void> => {
    for (const program of started.toReversed()) await program[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  };
  try {
    const url = await startPrograms(directory, started, { issuer, audience });
    return { url, processes: started.slice(1, 3), [Symbol.asyncDispose]: release };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Starts Redis, two processes of the server and nginx. Resolves to the address of nginx. */
async function startPrograms(
  directory: string,
  started: RunningProgram[],
  { issuer, audience }: { readonly issuer: Issuer; readonly audience: string },
): Promise<string> {
  const [proxyPort, busPort] = await Promise.all([freePort(), freePort()]);
  const start = (command: string, args: readonly string[]): RunningProgram => {
    const program = startProgram({ command, args: [...args] });
    started.push(program);
    return program;
  };
  const redis = ['--port', String(busPort), '--bind', '127.0.0.1', '--save', '', '--dir', directory];
  await start('redis-server', redis).stdout.next((text) => text.includes('eady to accept connections'));
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
  const serve = async (): Promise<string> => {
    const line = await start(process.execPath, [PROGRAM, ...flags]).stderr.next((text) => text.includes('serves at'));
    return /:(\d+)\/mcp/.exec(line)?.[1] ?? '';
  };
  const [first, second] = [await serve(), await serve()];
  const values = { DIRECTORY: directory, FIRST_PORT: first, SECOND_PORT: second, PROXY_PORT: String(proxyPort) };
  const text = await readFile(CONFIGURATION, 'utf8');
  const file = path.join(directory, 'nginx.conf');
  await writeFile(
    file,
    Object.entries(values).reduce((edited, [name, value]) => edited.replaceAll(name, value), text),
  );
  const proxy = start('nginx', ['-p', directory, '-c', file, '-e', 'stderr', '-g', 'user root;']);
  const url = `http://127.0.0.1:${proxyPort}/mcp`;
  await untilAnswered(url, proxy);
  return url;
}

/** Waits until the proxy accepts connections; nginx does not report when it is ready. @throws Error if the proxy ends */
async function untilAnswered(url: string, proxy: RunningProgram): Promise<void> {
  let problem: string | undefined;
  void proxy.ended.then(({ stderr }) => (problem = stderr));
  for (;;) {
    const answer = await fetch(url, { method: 'POST' }).catch(() => undefined);
    if (answer !== undefined) return;
    if (problem !== undefined) throw new Error(`nginx has ended: ${problem}`);
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
