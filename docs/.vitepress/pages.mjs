import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The pages of the site in the order of the sidebar, as paths without `.md`. */
export const SECTIONS = [
  { title: 'Start', pages: ['index', 'faq', 'troubleshooting', 'versioning'] },
  {
    title: 'Install',
    pages: [
      'install/index',
      'install/claude-desktop',
      'install/claude-code',
      'install/vscode',
      'install/cursor',
      'install/codex',
      'install/gemini-cli',
      'install/goose',
      'install/opencode',
      'install/copilot',
      'install/zed',
      'install/docker',
    ],
  },
  { title: 'Files', pages: serverPages('files') },
  { title: 'Git', pages: serverPages('git') },
  { title: 'SQL', pages: serverPages('sql') },
  {
    title: 'Build a server',
    pages: ['quick-start', 'servers', 'inputs', 'results', 'resources', 'views', 'prompts', 'asking', 'limits'].map(
      (page) => `build/${page}`,
    ),
  },
  {
    title: 'Extend and combine',
    pages: ['extending', 'overriding', 'composing', 'sql-engine', 'options', 'embedding', 'roots-and-files', 'watching'].map(
      (page) => `build/${page}`,
    ),
  },
  {
    title: 'Test and ship',
    pages: ['testing', 'test-runners', 'compiling', 'bundling'].map((page) => `build/${page}`),
  },
  { title: 'Operate', pages: ['http', 'auth', 'scaling', 'observability', 'docker'].map((page) => `operate/${page}`) },
  {
    title: 'Concepts',
    pages: ['architecture', 'roots', 'confirmations', 'protocol-versions'].map((page) => `concepts/${page}`),
  },
  {
    title: 'Reference',
    pages: ['mcp-fs', 'mcp-git', 'mcp-sql', 'permissions', 'errors'].map((page) => `reference/${page}`),
  },
  {
    title: 'API',
    pages: ['decorators', 'host', 'roots', 'watch', 'testing'].map((page) => `reference/api/${page}`),
  },
  { title: 'Benchmarks', pages: ['index', 'protocol', 'filesystem', 'git', 'sql'].map((page) => `benchmarks/${page}`) },
];

function serverPages(server) {
  return ['index', 'recipes', 'views', 'configuration', 'security', 'migrating'].map((page) => `servers/${server}/${page}`);
}

/** Returns the Markdown of a page, or `undefined` if the page does not exist. */
export function readPage(page) {
  const file = fileURLToPath(new URL(`../${page}.md`, import.meta.url));
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** Returns the title of a page: its first heading. */
export function readTitle(text) {
  return /^# (.+)$/m.exec(text)?.[1].replaceAll('`', '') ?? '';
}
