import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

import { onTestFinished } from 'vitest';

import { git, repositoryOf, temporaryDirectory } from './temporary.ts';

/** What a host does besides serving. */
export interface HostOptions {
  /** Who may come in, as `user:password`; default: everybody. */
  readonly account?: string;
  /** Answers a request itself, and says so. */
  readonly answer?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Bytes of a pack after which nothing more comes, and the connection stays. */
  readonly stallAfter?: number;
}

/** A host of bare repositories over HTTP, by git's own program for that. */
export interface GitHost {
  /** As `--remote-hosts` names it: `http://127.0.0.1:PORT`. */
  readonly origin: string;
  /** What was asked for, as `GET /x.git/info/refs`. */
  readonly requests: readonly string[];
  /** `Authorization` headers that came. */
  readonly authorizations: readonly string[];
  /** Resolves when a connection has stalled. */
  readonly stalled: Promise<void>;
  /** Makes a bare repository of a repository's branches and tags; resolves to its directory. */
  add(name: string, from?: string): Promise<string>;
  url(name: string): string;
}

/** Serves on a free port until the test is over. */
export async function gitHost(options: HostOptions = {}): Promise<GitHost> {
  const root = await temporaryDirectory();
  const requests: string[] = [];
  const authorizations: string[] = [];
  const events = new EventEmitter();
  const stalled = once(events, 'stalled').then(() => undefined);
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url?.split('?')[0]}`);
    const { authorization } = request.headers;
    if (authorization !== undefined) authorizations.push(authorization);
    if (options.answer?.(request, response) === true) return;
    if (options.account !== undefined && authorization !== `Basic ${Buffer.from(options.account).toString('base64')}`)
      return void response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="git"' }).end();
    serve(root, request, response, { stallAfter: options.stallAfter, stalled: () => events.emit('stalled') });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    requests,
    authorizations,
    stalled,
    url: (name) => `${origin}/${name}.git`,
    add: async (name, from) => {
      const bare = path.join(root, `${name}.git`);
      git(root, ['init', '--quiet', '--bare', '--initial-branch=main', bare]);
      git(bare, ['config', 'http.receivepack', 'true']);
      if (from !== undefined) git(from, ['push', '--quiet', bare, 'refs/heads/*:refs/heads/*', 'refs/tags/*:refs/tags/*']);
      return bare;
    },
  };
}

/** A repository with two commits, one of a branch `topic`. */
export async function sourceRepository(): Promise<string> {
  const top = await repositoryOf([
    ['Begin', { 'a.txt': 'one\n' }],
    ['Extend', { 'a.txt': 'one\ntwo\n' }],
  ]);
  git(top, ['branch', 'topic', 'HEAD~1']);
  git(top, ['tag', 'v1', 'HEAD~1']);
  return top;
}

interface Stall {
  readonly stallAfter: number | undefined;
  readonly stalled: () => void;
}

function serve(root: string, request: IncomingMessage, response: ServerResponse, stall: Stall): void {
  const url = new URL(request.url ?? '', 'http://host');
  const backend = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'],
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method,
      REMOTE_ADDR: '127.0.0.1',
      CONTENT_TYPE: request.headers['content-type'],
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
      GIT_PROTOCOL: request.headers['git-protocol'] as string | undefined,
      ...(request.headers['content-length'] !== undefined && { CONTENT_LENGTH: request.headers['content-length'] }),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  request.pipe(backend.stdin);
  backend.stdin.on('error', () => undefined);
  response.on('close', () => backend.kill());
  const isPack = request.method === 'POST' && url.pathname.endsWith('git-upload-pack');
  const left = isPack && stall.stallAfter !== undefined ? { bytes: stall.stallAfter } : undefined;
  let head = Buffer.alloc(0);
  let began = false;
  backend.stdout.on('data', (chunk: Buffer) => {
    if (began) return write(chunk);
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end === -1) return;
    began = true;
    writeHead(response, head.toString('latin1', 0, end));
    write(head.subarray(end + 4));
  });
  backend.stdout.on('end', () => {
    if (left === undefined || left.bytes > 0) response.end();
  });

  function write(chunk: Buffer): void {
    if (left === undefined) return void response.write(chunk);
    // What git negotiates is short: only what has a pack in it counts.
    if (left.bytes <= 0) return;
    const part = chunk.subarray(0, left.bytes);
    left.bytes -= part.length;
    response.write(part, () => {
      if (left.bytes <= 0) stall.stalled();
    });
  }
}

function writeHead(response: ServerResponse, text: string): void {
  let status = 200;
  for (const line of text.split('\r\n')) {
    const [name = '', value = ''] = line.split(/: (.*)/s);
    if (name === 'Status') status = Number.parseInt(value, 10);
    else response.setHeader(name, value);
  }
  response.writeHead(status);
}
