import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { ROOT } from './workspace/run.mjs';
import { setup } from './setup.mjs';

const CHECKOUT = resolve(ROOT);

const HELP = `Usage: npm start [-- OPTION …]

Installs and builds what is missing, starts the servers for files, git and SQL
on this directory, its repository and an embedded PostgreSQL, makes some calls
with the official MCP client and prints the results. Then serves all three over
HTTP on this machine, and prints how clients connect.

  --once    end after the calls
  --port N  serve at this port (default: 8765, or any free port if 8765 is in use)
  --help    show this help

Exits with 1 if a call failed, with 2 if the arguments cannot be used.`;

process.exitCode = await main(process.argv.slice(2));

async function main(args) {
  const options = optionsOf(args);
  if (options.problem !== undefined) {
    console.error(`${options.problem}\nSee npm start -- --help.`);
    return 2;
  }
  if (options.help) {
    console.log(HELP);
    return 0;
  }
  console.log('Installing and building what is missing; this takes about a minute in a new clone …\n');
  await setup();
  const scratch = mkdtempSync(join(tmpdir(), 'mcp-start-'));
  try {
    const { hasHistory } = await show(scratch);
    if (!options.once) await serve(hasHistory, options.port);
    return 0;
  } catch (error) {
    console.error(`\nnpm start failed: ${error.message}`);
    return 1;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function optionsOf(args) {
  try {
    const { values } = parseArgs({
      args,
      options: { once: { type: 'boolean' }, port: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    });
    const port = values.port === undefined ? undefined : Number(values.port);
    const isPort = port === undefined || (Number.isInteger(port) && port >= 0 && port <= 65_535);
    return { ...values, port, problem: isPort ? undefined : `--port: ${values.port} is no port` };
  } catch (error) {
    return { problem: error.message };
  }
}

/** Runs the tours and prints their calls. The modules are imported here, because `setup` first installs what they import. */
async function show(scratch) {
  const { withServer } = await import('./start/session.mjs');
  const { claudeDesktopEntry } = await import('./start/claude-desktop.mjs');
  const { introduce, makeCalls } = await import('./start/tour.mjs');
  const { filesTour } = await import('./start/tours/files.mjs');
  const { historyTour } = await import('./start/tours/history.mjs');
  const { databaseTour } = await import('./start/tours/database.mjs');
  const place = { checkout: CHECKOUT, scratch };
  const history = historyTour(place);
  for (const tour of [filesTour(place), history, databaseTour(place)]) {
    if (tour.missing !== undefined) {
      console.log(`${tour.missing}\n`);
      continue;
    }
    await withServer([join(ROOT, tour.program), ...tour.args], async (client) => {
      await introduce(client);
      await makeCalls(client, tour.steps);
    });
  }
  console.log('All servers have ended.\n');
  const programs = { files: 'servers/fs/bin/mcp-fs.js', git: 'servers/git/bin/mcp-git.js', sql: 'servers/sql/bin/mcp-sql.js' };
  const args = { files: [CHECKOUT], git: [CHECKOUT], sql: ['--sample'] };
  const entries = Object.entries(programs).map(([name, program]) => [name, [join(CHECKOUT, program), ...args[name]]]);
  console.log(await claudeDesktopEntry(Object.fromEntries(entries)));
  return { hasHistory: history.missing === undefined };
}

async function serve(hasHistory, port) {
  const { endRequested, introduceService, withService } = await import('./start/service.mjs');
  const { title } = await import('./start/display.mjs');
  console.log(`\n${title('Over HTTP')}`);
  await withService({ checkout: CHECKOUT, hasHistory, port }, async (urls) => {
    await introduceService(urls);
    await endRequested();
  });
}
