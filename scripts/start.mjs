import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { ROOT } from './run.mjs';
import { setup } from './setup.mjs';

const CHECKOUT = resolve(ROOT);

const HELP = `Usage: npm start [-- OPTION]

Installs and builds what is not there yet, starts the servers for files, git and
SQL on this directory, its repository and an embedded PostgreSQL, makes a few
calls with the official MCP client and shows what they return. Then prints the
entry for Claude Desktop and ends.

  --once  end after the calls; that is also what happens without it
  --help  this text

Exits with 1 if a call failed, with 2 if the arguments cannot be used.`;

const OPTIONS = new Set(['--once', '--help', '-h']);

process.exitCode = await main(process.argv.slice(2));

async function main(args) {
  const unknown = args.find((argument) => !OPTIONS.has(argument));
  if (unknown !== undefined) {
    console.error(`There is no option "${unknown}".\nSee npm start -- --help.`);
    return 2;
  }
  if (args.includes('--help') || args.includes('-h')) {
    console.log(HELP);
    return 0;
  }
  console.log('Installing and building what is not there yet …\n');
  await setup();
  const scratch = mkdtempSync(join(tmpdir(), 'mcp-start-'));
  try {
    await show(scratch);
    return 0;
  } catch (error) {
    console.error(`\nnpm start failed: ${error.message}`);
    return 1;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Loaded after `setup`, which installs what these modules import. */
async function show(scratch) {
  const { withServer } = await import('./start/session.mjs');
  const { claudeDesktopEntry } = await import('./start/claude-desktop.mjs');
  const { introduce, makeCalls } = await import('./start/tour.mjs');
  const { filesTour } = await import('./start/tours/files.mjs');
  const { historyTour } = await import('./start/tours/history.mjs');
  const { databaseTour } = await import('./start/tours/database.mjs');
  const place = { checkout: CHECKOUT, scratch };
  for (const tour of [filesTour(place), historyTour(place), databaseTour()]) {
    if (tour === undefined) continue;
    await withServer([join(ROOT, tour.program), ...tour.args], async (client) => {
      await introduce(client);
      await makeCalls(client, tour.steps);
    });
  }
  console.log('All servers have ended.\n');
  const programs = { files: 'servers/fs/bin/mcp-fs.js', git: 'servers/git/bin/mcp-git.js', sql: 'servers/sql/bin/mcp-sql.js' };
  const args = { files: [CHECKOUT], git: [CHECKOUT], sql: ['--sample'] };
  const entries = Object.entries(programs).map(([name, program]) => [name, [join(CHECKOUT, program), ...args[name]]]);
  console.log(claudeDesktopEntry(Object.fromEntries(entries)));
}
