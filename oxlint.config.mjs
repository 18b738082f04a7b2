import { readFileSync } from 'node:fs';

/*
 * The general rules are in `.oxlintrc.json`; here is which folder may import what. oxlint replaces the options of a rule in a later
 * override and never merges them, so each folder gets its complete list: everything that has an owner, less what the folder owns,
 * and the packages it may not use. `scripts/structure/layers.mjs` lists the order of the folders of a package.
 */
const general = JSON.parse(readFileSync(new URL('.oxlintrc.json', import.meta.url), 'utf8'));

const PACKAGES = ['decorators', 'roots', 'watch', 'host', 'testing'];
const SERVERS = ['fs', 'git', 'sql'];
const BELOW_SERVERS = PACKAGES.filter((name) => name !== 'testing');

const PROCESS_MEMBERS = ['argv', 'env', 'exit', 'exitCode', 'kill', 'on', 'once', 'stderr', 'stdin', 'stdout'];
const PROCESS_MESSAGE = 'Arguments, environment, signals, stdio and exit belong to packages/host.';
const WATCH_MESSAGE = 'Watchers are started in packages/watch.';

/** Imports that are allowed only in the folder that owns them. */
const OWNED = {
  reflect: { regex: '^reflect-metadata(/|$)', message: 'Reflect is touched in packages/decorators/src/metadata.' },
  storage: {
    regex: '^class-validator/cjs/metadata/',
    message: "class-validator's storage is read in packages/decorators/src/schema.",
  },
  sdk: {
    regex: '^@modelcontextprotocol/',
    message: 'The SDK is spoken to in packages/decorators/src/runtime, packages/host and packages/testing.',
  },
  git: { regex: '^simple-git(/|$)', message: 'git is run in servers/git/src/repository.' },
  postgres: {
    regex: '^pg(-|/|$)',
    message: 'PostgreSQL is spoken to in servers/sql/src/postgres/database and packages/host/src/bus.',
  },
  redis: { regex: '^(ioredis|redis|@redis/.*)$', message: 'Redis is spoken to in packages/host/src/bus.' },
  chokidar: { regex: '^chokidar(/|$)', message: WATCH_MESSAGE },
  watch: { regex: '^(node:)?fs(/promises)?$', importNames: ['watch', 'watchFile'], message: WATCH_MESSAGE },
  process: { regex: '^(node:)?process$', importNames: PROCESS_MEMBERS, message: PROCESS_MESSAGE },
};

/** Imports that are forbidden everywhere. */
const FORBIDDEN = [
  { regex: '^@org/[^/]+/(src|dist)(/|$)', message: 'Import a package by its name alone.' },
  {
    regex: `^(\\.\\./)+((packages|servers)/)?(${[...PACKAGES, ...SERVERS].join('|')})/(src|dist|test)/`,
    message: 'Import another package by its name.',
  },
];

/** Sources import single rules, because most of a program's start would be the main module of class-validator with all its rules. */
const ALL_RULES = {
  regex: '^class-validator$',
  allowTypeImports: true,
  message: 'Import a rule from its own module, such as class-validator/cjs/decorator/number/Min.js.',
};

const RESTRICTED_PROPERTIES = [
  { object: 'globalThis', property: 'process', message: 'Name process by itself.' },
  ...PROCESS_MEMBERS.map((property) => ({ object: 'process', property, message: PROCESS_MESSAGE })),
  { object: 'fs', property: 'watch', message: WATCH_MESSAGE },
  { object: 'fs', property: 'watchFile', message: WATCH_MESSAGE },
];

/** Sources, from the general to the particular: the last entry that matches a file counts. */
const SOURCES = [
  sources('packages/decorators/src/**'),
  sources('packages/decorators/src/metadata/**', { owns: ['reflect'] }),
  sources('packages/decorators/src/schema/**', { owns: ['storage'] }),
  sources('packages/decorators/src/runtime/**', { owns: ['sdk'] }),
  sources('packages/roots/src/**', { uses: ['decorators'] }),
  sources('packages/watch/src/**', { uses: ['decorators'], owns: ['chokidar', 'watch'] }),
  sources('packages/host/src/**', { uses: ['decorators'], owns: ['sdk', 'process'] }),
  sources('packages/host/src/bus/**', { uses: ['decorators'], owns: ['sdk', 'process', 'postgres', 'redis'] }),
  sources('packages/testing/src/**', { uses: ['decorators', 'host'], owns: ['sdk'] }),
  sources('packages/create/src/**', { owns: ['process'] }),
  sources('servers/*/src/**', { uses: BELOW_SERVERS }),
  sources('servers/git/src/repository/**', { uses: BELOW_SERVERS, owns: ['git'] }),
  sources('servers/sql/src/postgres/database/**', { uses: BELOW_SERVERS, owns: ['postgres'] }),
];

/** Tests use what their package uses, and `testing` where turbo would not see a cycle in that. */
const TESTS = [
  tests('packages/{decorators,host}/test/**', ['decorators', 'host']),
  tests('packages/{roots,watch,testing,create}/test/**', PACKAGES),
  tests('test/integration/**', ['decorators', 'host', 'testing']),
  ...SERVERS.map((server) => tests(`servers/${server}/test/**`, [...PACKAGES, server])),
];

/** Components of views. */
const VIEWS = ['{packages/views/src,servers/*/views}/**/*.tsx'];

export default {
  ...general,
  rules: { ...general.rules, 'no-restricted-imports': ['error', { patterns: FORBIDDEN }] },
  overrides: [
    ...general.overrides,
    ...SOURCES,
    ...TESTS,
    { files: ['servers/*/src/*-server.ts'], rules: { 'max-lines': 'off' } },
    // A component is mostly markup, and each condition in it counts.
    { files: VIEWS, rules: { complexity: ['error', 20], 'max-lines-per-function': ['error', 90] } },
  ],
};

function sources(glob, { uses = [], owns = [] } = {}) {
  const owned = Object.keys(OWNED).filter((name) => !owns.includes(name));
  const patterns = [...FORBIDDEN, ALL_RULES, ...owned.map((name) => OWNED[name]), ...otherPackages(uses)];
  const properties = RESTRICTED_PROPERTIES.filter(({ object }) => !owns.includes(object === 'fs' ? 'watch' : object));
  return {
    files: [glob],
    rules: {
      'no-restricted-imports': ['error', { patterns }],
      'no-restricted-properties': ['error', ...properties],
    },
  };
}

function tests(glob, uses) {
  return {
    files: [glob],
    rules: { 'no-restricted-imports': ['error', { patterns: [...FORBIDDEN, ...otherPackages(uses)] }] },
  };
}

function otherPackages(uses) {
  const others = [...PACKAGES, ...SERVERS].filter((name) => !uses.includes(name));
  return [{ regex: `^@org/mcp-(${others.join('|')})(/|$)`, message: 'This package may not use that one.' }];
}
