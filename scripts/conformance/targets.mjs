import { FilesystemOptions, FilesystemServer } from '@org/mcp-fs';
import { GitOptions, GitServer } from '@org/mcp-git';
import { PostgresOptions, PostgresServer } from '@org/mcp-sql';

import { ROOT } from '../workspace/run.mjs';
import { isOfTasks, WITHOUT_FIXTURES } from './scenarios.mjs';

// The output of tsc for the integration suite, which contains this server.
const { ConformanceServer } = await import(
  new URL('../../node_modules/.compiled/integration/conformance/conformance-server.js', import.meta.url)
);

/**
 * The servers that the suite tests, and the scenarios that each server has to pass, given a revision and the scenarios
 * that ran.
 */
export const TARGETS = [
  {
    name: 'the server with all fixtures',
    create: () => new ConformanceServer(),
    expected: (_, ran) => ran.filter((scenario) => !isOfTasks(scenario)),
  },
  {
    name: 'mcp-fs, without fixtures',
    create: () => new FilesystemServer(Object.assign(new FilesystemOptions(), { directories: [ROOT] })),
    expected: (revision) => WITHOUT_FIXTURES[revision],
  },
  {
    name: 'mcp-git, without fixtures',
    create: () => new GitServer(Object.assign(new GitOptions(), { directories: [ROOT] })),
    expected: (revision) => WITHOUT_FIXTURES[revision],
  },
  {
    name: 'mcp-sql, without fixtures',
    create: () => new PostgresServer(Object.assign(new PostgresOptions(), { sample: true })),
    expected: (revision) => WITHOUT_FIXTURES[revision],
  },
];
