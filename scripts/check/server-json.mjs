import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT, run } from '../workspace/run.mjs';

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';
/** The limits of the MCP Registry. */
const NAME = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/;
const MAX_DESCRIPTION = 100;

/**
 * Returns the problems of the entry of a server in the MCP Registry, `server.json`: the limits of the registry, facts that differ
 * from `package.json`, and options that the program does not have. Returns an empty list for a package that is no server.
 *
 * @param directory directory of the package, relative to the root
 */
export async function findServerJsonProblems(directory) {
  const file = join(ROOT, directory, 'server.json');
  const manifest = readJson(join(ROOT, directory, 'package.json'));
  if (!existsSync(file)) return manifest.mcpName === undefined ? [] : [`${directory}: server.json is missing`];
  const entry = readJson(file);
  const problems = [
    ...findFactProblems(entry, manifest),
    ...(await findOptionProblems(entry.packages?.[0] ?? {}, join(directory, Object.values(manifest.bin)[0]))),
  ];
  return problems.map((problem) => `${directory}/server.json: ${problem}`);
}

function findFactProblems({ $schema, name, description, version, repository, packages = [] }, manifest) {
  const [{ registryType, identifier, version: packed, transport } = {}] = packages;
  const url = manifest.repository.url.replace(/^git\+|\.git$/g, '');
  const expected = [
    ['$schema', $schema, SCHEMA],
    ['name', name, manifest.mcpName],
    ['description', description, manifest.description],
    ['version', version, manifest.version],
    ['repository.url', repository?.url, url],
    ['repository.source', repository?.source, 'github'],
    ['repository.subfolder', repository?.subfolder, manifest.repository.directory],
    ['packages[0].registryType', registryType, 'npm'],
    ['packages[0].identifier', identifier, manifest.name],
    ['packages[0].version', packed, manifest.version],
    ['packages[0].transport.type', transport?.type, 'stdio'],
  ];
  return [
    ...expected.flatMap(([path, found, wanted]) => (found === wanted ? [] : [`"${path}" must be "${wanted}"`])),
    ...(NAME.test(name) ? [] : ['"name" must be a reverse domain name, a slash and a name']),
    ...(description?.length <= MAX_DESCRIPTION ? [] : [`"description" must have at most ${MAX_DESCRIPTION} characters`]),
  ];
}

async function findOptionProblems({ packageArguments = [], environmentVariables = [] }, program) {
  const { output } = await run('node', [program, '--help']);
  const flags = new Set(output.match(/--(?:\[no-\])?[a-z-]+/g));
  const prefix = `MCP_${program.split('/')[1].toUpperCase()}_`;
  return [
    ...packageArguments
      .filter(({ type, name }) => type === 'named' && !flags.has(name))
      .map(({ name }) => `the program has no option ${name}`),
    ...packageArguments
      .filter(({ type, value, valueHint }) => type === 'positional' && (value ?? valueHint) === undefined)
      .map(() => 'a positional argument needs "value" or "valueHint"'),
    ...environmentVariables
      .filter(({ name }) => !name.startsWith(prefix))
      .map(({ name }) => `the program does not read the variable ${name}`),
  ];
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}
