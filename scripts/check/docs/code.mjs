import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

import { parse as parseToml } from 'smol-toml';
import { parseAllDocuments } from 'yaml';

import { ROOT, run } from '../../workspace/run.mjs';
import { readBlocks } from './blocks.mjs';
import { findUnknownFlags, readCommandLines, readPrograms } from './commands.mjs';

const OPTIONS = {
  module: 'nodenext',
  target: 'es2023',
  strict: true,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  skipLibCheck: true,
  noEmit: true,
  allowJs: true,
  checkJs: false,
  types: ['node'],
};

/** Languages that are shown but not checked: output, prompts, configuration without a parser here, and the generated API pages (`typescript`). */
const SHOWN = new Set(['typescript', 'text', 'nginx', 'dockerfile', 'ini', 'http', 'diff', 'md']);

/** Resolves to the problems of all code blocks in Markdown files, each with its file and line. */
export async function findCodeProblems(files) {
  const blocks = files.flatMap((file) => readBlocks(readFileSync(join(ROOT, file), 'utf8')).map((block) => ({ ...block, file })));
  const programs = await readPrograms();
  const { parse: parseSql } = await loadSqlParser();
  const checks = {
    json: (code) => findUnknownInJson(JSON.parse(code), programs),
    jsonc: (code) => void code,
    yaml: (code) => parseAllDocuments(code).flatMap(({ errors }) => errors.map(({ message }) => message)),
    toml: (code) => (parseToml(code), findUnknownInJson(parseToml(code), programs)),
    sh: async (code) => [...(await findShellProblems(code)), ...findUnknownInCommands(code, programs)],
    powershell: (code) => findUnknownInCommands(code, programs),
    sql: async (code) => (await parseSql(code), []),
    ts: () => [],
    js: () => [],
  };
  const found = await Promise.all(
    blocks.map(async ({ file, line, language, code }) => {
      if (SHOWN.has(language)) return [];
      if (!Object.hasOwn(checks, language)) return [`${file}:${line}: the language "${language}" of a code block is not known`];
      const problems = await Promise.resolve()
        .then(() => checks[language](code))
        .catch((error) => [String(error)]);
      return (problems ?? []).map((problem) => `${file}:${line}: ${problem}`);
    }),
  );
  return [...found.flat(), ...(await findUnknownExcerpts(blocks)), ...(await findTypeProblems(blocks))];
}

/** Loads PostgreSQL's own parser, which is a dependency of the SQL server. */
function loadSqlParser() {
  return createRequire(join(ROOT, 'servers/sql/package.json'))('libpg-query');
}

function findUnknownInCommands(code, programs) {
  return readCommandLines(code)
    .flatMap((words) => findUnknownFlags(words, programs))
    .map((flag) => `the program has no flag ${flag}`);
}

/** Returns the unknown flags of all lists of arguments in a configuration. */
function findUnknownInJson(value, programs) {
  if (typeof value !== 'object' || value === null) return [];
  const words = Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
  const unknown = findUnknownFlags(words, programs).map((flag) => `the program has no flag ${flag}`);
  return [...unknown, ...Object.values(value).flatMap((inner) => findUnknownInJson(inner, programs))];
}

async function findShellProblems(code) {
  const { code: status, output } = await run('bash', ['-n', '-c', code]);
  return status === 0 ? [] : [output.trim()];
}

/**
 * Returns a problem for each block of TypeScript without a path that no source or test contains. Such a block must be an excerpt
 * of a compiled file.
 */
async function findUnknownExcerpts(blocks) {
  const { output } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts']);
  const names = output.split('\n').filter((name) => name !== '' && existsSync(join(ROOT, name)));
  const sources = names.map((name) => readFileSync(join(ROOT, name), 'utf8'));
  return blocks
    .filter(
      ({ language, path, code }) => language === 'ts' && path === undefined && !sources.some((source) => source.includes(code)),
    )
    .map(
      ({ file, line }) =>
        `${file}:${line}: no source or test contains this excerpt; add a path such as [src/server.ts] to compile the block`,
    );
}

/** Compiles the blocks with a path in TypeScript and JavaScript, the blocks of each page together. Resolves to the errors. */
async function findTypeProblems(blocks) {
  const written = blocks.filter(({ language, path }) => path !== undefined && ['ts', 'js'].includes(language));
  if (written.length === 0) return [];
  const home = join(ROOT, 'node_modules', '.cache');
  mkdirSync(home, { recursive: true });
  const directory = mkdtempSync(join(home, 'docs-'));
  try {
    const origins = new Map();
    for (const [file, own] of Map.groupBy?.(written, ({ file }) => file) ?? groupByFile(written))
      writeProject(join(directory, file.replaceAll(/[/.]/g, '-')), own, origins);
    writeFileSync(join(directory, 'package.json'), '{ "type": "module" }\n');
    writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS, include: ['**/*'] }));
    const { output } = await run('tsc', ['-p', directory, '--pretty', 'false']);
    return output
      .split('\n')
      .filter((line) => line.includes('error TS'))
      .map((line) => toPlace(line, directory, origins));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function groupByFile(blocks) {
  const groups = new Map();
  for (const block of blocks) groups.set(block.file, [...(groups.get(block.file) ?? []), block]);
  return groups;
}

/** Writes the blocks of a page. A block with the path of an earlier one begins another version of the project. */
function writeProject(directory, blocks, origins) {
  let version = directory;
  for (const [index, { path, code, file, line }] of blocks.entries()) {
    if (existsSync(join(version, path))) {
      const next = `${directory}-${index}`;
      cpSync(version, next, { recursive: true });
      version = next;
    }
    const target = join(version, path);
    mkdirSync(dirname(target), { recursive: true });
    // Without an import or export, a block would be a script, and would share its names with all other scripts.
    writeFileSync(target, /^(?:import|export)\b/m.test(code) ? code : `${code}export {};\n`);
    origins.set(target, { file, line });
  }
}

/** Translates the place of an error in a written file to the place in the page. */
function toPlace(line, directory, origins) {
  const [, path, row, message] = /^(.+?)\((\d+),\d+\): (.*)$/.exec(line) ?? [];
  const origin = path === undefined ? undefined : (origins.get(join(ROOT, path)) ?? origins.get(path));
  return origin === undefined
    ? line.replace(relative(ROOT, directory), '')
    : `${origin.file}:${origin.line + Number(row)}: ${message}`;
}
