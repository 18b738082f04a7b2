import { FilesystemOptions, FilesystemServer } from '@org/mcp-fs';
import { GitOptions, GitServer } from '@org/mcp-git';
import { PostgresOptions, PostgresServer } from '@org/mcp-sql';

import { ROOT } from '../run.mjs';
import { isOfTasks, WITHOUT_FIXTURES } from './scenarios.mjs';

// As tsc compiled it with the tests that it belongs to.
const { ConformanceServer } = await import(
  new URL('../../packages/testing/node_modules/.compiled/test/conformance/conformance-server.js', import.meta.url)
);

/** The servers that the suite runs against, and what each has to pass, given a revision and the scenarios that were run. */
export const TARGETS = [
  {
    name: 'the server with all fixtures',
    create: () => new ConformanceServer(),
    expected: (_, ran) => ran.filter((scenario) => !isOfTasks(scenario)),
  },
  {
    name: 'mcp-fs, which has none',
    create: () => new FilesystemServer(Object.assign(new FilesystemOptions(), { directories: [ROOT] })),
    expected: (revision) => WITHOUT_FIXTURES[revision],
  },
  {
    name: 'mcp-git, which has none',
    create: () => new GitServer(Object.assign(new GitOptions(), { directories: [ROOT] })),
    expected: (revision) => WITHOUT_FIXTURES[revision],
  },
  {
    name: 'mcp-sql, which has none',
    create: () => new PostgresServer(Object.assign(new PostgresOptions(), { sample: true })),
    expected: (revision) => WITHOUT_FIXTURES[revision],
  },
];
