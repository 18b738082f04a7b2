import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, it, onTestFinished } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../scripts/audit.mjs', import.meta.url));

interface End {
  readonly code: number;
  readonly text: string;
}

function audit(...args: readonly string[]): Promise<End> {
  return run(SCRIPT, ...args);
}

function run(script: string, ...args: readonly string[]): Promise<End> {
  return new Promise((resolve) => {
    const env = { ...process.env, npm_config_fetch_retries: '0' };
    execFile(process.execPath, [script, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), text: stdout + stderr }),
    );
  });
}

/**
 * Starts a registry that answers requests for advisories with this status and body. A function is called with the body of the
 * request, and returns the body of the answer. Resolves to the URL of the registry and the bodies of the requests.
 */
async function registry(status: number, answer: unknown): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      asked.push(Buffer.concat(chunks).toString());
      const body = typeof answer === 'function' ? answer(asked.at(-1)) : answer;
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

function report(...severities: readonly string[]): unknown {
  return reportOn('jose', ...severities);
}

function reportOn(name: string, ...severities: readonly string[]): unknown {
  const advisories = severities.map((severity, id) => [
    String(id),
    {
      id,
      severity,
      module_name: name,
      title: 'Accepts forged tokens',
      url: 'https://example.org/advisory',
      vulnerable_versions: '<99',
      findings: [{ version: '6.0.0', paths: ['packages__host>jose'] }],
    },
  ]);
  const vulnerabilities = { info: 0, low: 0, moderate: 0, high: 0, critical: 0 };
  const metadata = { vulnerabilities, dependencies: 1, devDependencies: 0, optionalDependencies: 0, totalDependencies: 1 };
  return { actions: [], advisories: Object.fromEntries(advisories), muted: [], metadata };
}

describe('the check of production dependencies', () => {
  it('sends the production dependencies to the registry', async () => {
    const { url, asked } = await registry(200, report());
    expect(await audit('--registry', url)).toEqual({
      code: 0,
      text: 'Advisories of production dependencies: 0, of which high or critical: 0.\n',
    });
    expect(asked.join('')).toContain('"jose"');
  });

  it.each([
    ['class-validator', 1],
    ['vitest', 0],
  ])('reports a development dependency only if a built package contains its code, such as %s', async (name, code) => {
    const { url } = await registry(200, (body: string) => (body.includes('"vitest"') ? reportOn(name, 'high') : report()));
    const end = await audit('--registry', url);
    expect(end.code).toBe(code);
  });

  it.each([
    ['moderate', 0],
    ['high', 1],
  ])('prints an advisory of %s severity and exits with %i', async (severity, code) => {
    const { url } = await registry(200, report(severity));
    const end = await audit('--registry', url);
    expect(end.code).toBe(code);
    expect(end.text).toContain(`${severity}: jose 6.0.0: Accepts forged tokens (https://example.org/advisory)`);
  });

  it('skips the check with a message if the registry does not support advisories', async () => {
    const { url } = await registry(405, {});
    const end = await audit('--registry', url);
    expect(end.text).toMatch(
      /^Advisories of production dependencies: skipped, because the registry does not answer \(ERR_PNPM_AUDIT/,
    );
    expect(end.code).toBe(0);
  });

  it('fails if the check is required and the registry cannot be reached', async () => {
    const end = await audit('--require', '--registry', 'http://127.0.0.1:1');
    expect(end.text).toMatch(/^Advisories of production dependencies: skipped, .* The check was required\.$/ms);
    expect(end.code).toBe(1);
  });

  it('fails without a lockfile, even if the check is not required', async () => {
    const root = await mkdtemp(path.join(tmpdir(), 'audit-'));
    onTestFinished(() => rm(root, { recursive: true }));
    await mkdir(path.join(root, 'scripts/workspace'), { recursive: true });
    await mkdir(path.join(root, 'packages'));
    const modules = ['licenses', 'packages', 'run'].map((name) => `scripts/workspace/${name}.mjs`);
    for (const file of ['package.json', 'pnpm-workspace.yaml', 'scripts/audit.mjs', ...modules])
      await copyFile(new URL(`../${file}`, import.meta.url), path.join(root, file));
    const { code, text } = await run(path.join(root, 'scripts', 'audit.mjs'));
    expect(text).toContain('ERR_PNPM_AUDIT_NO_LOCKFILE');
    expect(text).toMatch(/^pnpm audit failed:$/m);
    expect(code).toBe(1);
  });

  it('rejects unknown arguments', async () => {
    expect(await audit('--requre')).toMatchObject({ code: 2, text: expect.stringContaining('--requre') });
  });
});
