import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { ROOT, run } from './workspace/run.mjs';
import { setup } from './setup.mjs';

const WIDTH = 760;
const LINE = 19;
const MAX_COLUMNS = 88;
/** Seconds after which the next step appears below the previous steps. */
const STEP = 2.2;

/**
 * Records a session with the file server as an animated picture: commands and calls really run, and their answers are shown. The
 * directory has the name `project` in the picture.
 */
async function recordSession() {
  const home = mkdtempSync(join(tmpdir(), 'session-'));
  const project = join(home, 'project');
  try {
    await run('mkdir', [project]);
    writeFileSync(join(project, 'config.yaml'), 'colour: red\ntimeout: 30\n');
    writeFileSync(join(project, 'main.ts'), 'export const colour = "red";\n');
    const steps = [await installation(home, project), ...(await calls(project))];
    return picture(
      steps.map(({ prompt, lines }) => ({ prompt, lines: lines.map((line) => line.replaceAll(project, '~/project')) })),
    );
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function installation(home, project) {
  const program = join(ROOT, 'servers/fs/bin/mcp-fs.js');
  const output = await new Promise((resolve) => {
    const child = spawn(process.execPath, [program, 'install', 'claude-desktop', project], {
      env: { ...process.env, HOME: home },
    });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => (text += chunk));
    child.once('close', () => resolve(text));
  });
  const lines = output
    .trim()
    .split('\n')
    .map((line) => line.replaceAll(home, '~'));
  return { prompt: '$ npx -y @org/mcp-fs install claude-desktop ~/project', lines };
}

async function calls(project) {
  const client = new Client({ name: 'recording', version: '1.0.0' });
  const args = [join(ROOT, 'servers/fs/bin/mcp-fs.js'), project];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
  const call = async (prompt, name, given) => {
    const { content } = await client.callTool({ name, arguments: given });
    const text = content.map(({ text: part }) => part).join('\n');
    return { prompt, lines: [`→ ${name} ${JSON.stringify(given)}`, ...text.split('\n').filter((line) => line !== '')], text };
  };
  try {
    const search = await call('“Where is the colour set?”', 'search_content', { path: '.', pattern: 'colour' });
    const change = { path: '.', pattern: 'colour', replacement: 'color' };
    const replaced = await call('“Rename it to color.”', 'replace_in_files', change);
    const [, undoId] = /undo with (\S+)/.exec(replaced.text) ?? [];
    return [search, replaced, await call('“Undo that.”', 'undo_change', { undoId })];
  } finally {
    await client.close();
  }
}

/** Draws the steps below each other. They appear one after the other, or all at once for people who prefer no motion. */
function picture(steps) {
  let y = 34;
  const groups = steps.map(({ prompt, lines }, index) => {
    const rows = [[prompt, 'prompt'], ...lines.slice(0, 9).map((line) => [line, classOf(line)])].map(([text, kind]) => {
      const row = `<text x="18" y="${y}" class="${kind}">${escape(text)}</text>`;
      y += LINE;
      return row;
    });
    y += 8;
    return `<g style="animation-delay:${(index * STEP).toFixed(1)}s">${rows.join('')}</g>`;
  });
  const height = y + 4;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">`,
    '<title>A recorded session: the file server is installed, searches, changes files and undoes the change</title>',
    '<style>text{font:13px ui-monospace,monospace;fill:#d7dce5;white-space:pre}.prompt{fill:#ffffff;font-weight:bold}.call{fill:#9db4ff}.added{fill:#7ee2a8}.removed{fill:#ff9d94}',
    'g{opacity:0;animation:appear .3s forwards}@keyframes appear{to{opacity:1}}@media (prefers-reduced-motion:reduce){g{opacity:1;animation:none}}</style>',
    `<rect width="${WIDTH}" height="${height}" rx="10" fill="#171b26"/>`,
    ...groups,
    '</svg>\n',
  ].join('\n');
}

function classOf(line) {
  if (line.startsWith('→')) return 'call';
  if (/^\+(?!\+)/.test(line)) return 'added';
  return /^-(?!-)/.test(line) ? 'removed' : 'answer';
}

function escape(text) {
  const short = text.length > MAX_COLUMNS ? `${text.slice(0, MAX_COLUMNS - 1)}…` : text;
  return short.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

await setup();
writeFileSync(join(ROOT, 'docs/images/session.svg'), await recordSession());
