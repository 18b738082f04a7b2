import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { connectProcess } from '@org/mcp-testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { GuidePackage, readPage } from './guide-package.ts';

let guide: GuidePackage;

beforeAll(async () => {
  guide = await GuidePackage.create([['build/quick-start.md', /./]]);
}, 120_000);

afterAll(() => guide[Symbol.asyncDispose]());

describe('the package of the quick start', () => {
  it('passes its test and is built', { timeout: 180_000 }, async () => {
    const { stdout } = await guide.run('npm', 'test');
    expect(stdout).toMatch(/Tests +2 passed \(2\)/);
    await guide.run('npm', 'run', 'build');
  });

  it('prints the list of the page', async () => {
    const { stdout } = await guide.run(process.execPath, 'dist/main.js', 'list');
    expect(await readPage('build/quick-start.md')).toContain(`\`\`\`text\n${stdout.trimEnd()}\n\`\`\``);
  });

  it('answers a client', async () => {
    await using session = await connectProcess({ command: process.execPath, args: ['dist/main.js'], cwd: guide.directory });
    expect(await session.text('count_words', { text: 'to be or not to be', unique: true })).toBe('4');
  });

  it('is installed into a client', async () => {
    await guide.run(process.execPath, 'dist/main.js', 'install', 'claude-code');
    const { mcpServers } = JSON.parse(await readFile(path.join(guide.directory, '.mcp.json'), 'utf8'));
    expect(mcpServers['word-server']).toMatchObject({ args: [path.join(guide.directory, 'dist/main.js')] });
  });
});
