import { defineConfig } from 'vitepress';

import { toAnchor } from '../../scripts/check/docs/anchors.mjs';
import { writeTextsForModels } from './llms.mjs';
import { SECTIONS, readPage, readTitle } from './pages.mjs';

const title = 'MCP servers';
const description = 'MCP servers for files, git and PostgreSQL, and the decorators they are built with';

const BUILD = ['Build a server', 'Extend and combine', 'Test and ship'];
const OPERATE = ['Operate', 'Concepts'];
const REFERENCE = ['Reference', 'API', 'Benchmarks'];

/** Sections of the sidebar, by the beginning of the address. */
const SIDEBARS = {
  '/servers/': ['Files', 'Git', 'SQL'],
  '/build/': BUILD,
  '/operate/': OPERATE,
  '/concepts/': OPERATE,
  '/reference/': REFERENCE,
  '/benchmarks/': REFERENCE,
  '/': ['Start', 'Install'],
};

/** Shows the path of a file above its code block. */
function showFileNames(markdown) {
  const { fence } = markdown.renderer.rules;
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    const [, path] = /\[([^\]]+)\]/.exec(tokens[index].info) ?? [];
    const block = fence(tokens, index, ...rest);
    return path === undefined ? block : `<p class="file-name"><code>${markdown.utils.escapeHtml(path)}</code></p>${block}`;
  };
}

function toSidebar(title) {
  const { pages } = SECTIONS.find((section) => section.title === title);
  return { text: title, items: pages.map((page) => ({ text: readTitle(readPage(page) ?? page), link: `/${page}` })) };
}

export default defineConfig({
  title,
  description,
  lang: 'en',
  cleanUrls: true,
  lastUpdated: false,
  srcExclude: ['decisions/**'],
  // The largest file is the index of the search, in kB, which is loaded when a reader searches.
  vite: { build: { chunkSizeWarningLimit: 1000 } },
  // Texts of tools contain angle brackets, which are not HTML.
  markdown: {
    html: false,
    anchor: { slugify: toAnchor },
    config: showFileNames,
    // The default themes have too little contrast.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      { text: 'Install', link: '/install/', activeMatch: '/install/' },
      { text: 'Servers', link: '/servers/files/', activeMatch: '/servers/' },
      { text: 'Build', link: '/build/quick-start', activeMatch: '/build/' },
      { text: 'Operate', link: '/operate/http', activeMatch: '/operate/' },
      { text: 'Reference', link: '/reference/mcp-fs', activeMatch: '/reference/' },
      { text: 'GitHub', link: 'https://github.com/org/mcp' },
    ],
    sidebar: Object.fromEntries(Object.entries(SIDEBARS).map(([path, titles]) => [path, titles.map(toSidebar)])),
    outline: [2, 3],
  },
  buildEnd: ({ outDir }) => writeTextsForModels(outDir, { title, description }),
});
