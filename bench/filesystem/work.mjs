import { DIRECTORIES, FILES, LISTED, NEEDLE } from './fixtures.mjs';

const RG = ['rg', '--no-config', '--line-number'];
const WORD = NEEDLE.slice(0, -1);
const LINE = 6_000_000;
const TAIL = 60_000;

/**
 * Lists the measured calls: the tool, its bars, and a check that the answer is complete. The bars refer to the first
 * native command.
 */
export function workOn({ tree, list, log }) {
  return [...workOnNames({ tree, list }), ...workOnContent(tree), ...workOnLines(log)];
}

function workOnNames({ tree, list }) {
  return [
    {
      name: `list ${LISTED} entries with sizes`,
      tool: 'list_directory_with_sizes',
      ours: { path: list, limit: LISTED },
      theirs: { path: list },
      native: { 'ls -lU': ['ls', '-lU', list] },
      bar: 1.5,
      isWhole: ({ content }) => content[0].text.match(/^\[FILE\] .* [\d.]+ \w+$/gm).length === LISTED,
    },
    {
      name: `tree of ${FILES} files in ${DIRECTORIES} directories`,
      tool: 'directory_tree',
      ours: { path: tree, maxDepth: 1000 },
      theirs: { path: tree },
      native: { find: ['find', tree] },
      bar: 2.5,
      isWhole: ({ _meta }) => _meta.entries === FILES + DIRECTORIES - 1 && !_meta.truncated,
    },
    {
      name: 'search for names',
      tool: 'search_files',
      ours: { path: tree, pattern: '**/a*.spec.ts' },
      theirs: { path: tree, pattern: '**/a*.spec.ts' },
      native: {
        find: ['find', tree, '-name', 'a*.spec.ts'],
        'rg --files': ['rg', '--no-config', '--files', '--glob', 'a*.spec.ts', tree],
      },
      bar: 2,
      isWhole: ({ structuredContent: { matches, truncated } }) => matches.length > FILES / 400 && !truncated,
    },
  ];
}

function workOnContent(tree) {
  return [
    {
      name: 'search for a text in files',
      tool: 'search_content',
      ours: { path: tree, pattern: NEEDLE },
      native: {
        rg: [...RG, '--fixed-strings', NEEDLE, tree],
        'rg -j1': [...RG, '-j1', '--fixed-strings', NEEDLE, tree],
      },
      bar: 1,
      isWhole: isSearched,
    },
    {
      name: 'search for a regular expression that has a word in it',
      tool: 'search_content',
      ours: { path: tree, pattern: `${WORD}\\(\\d+\\)`, regex: true },
      native: { rg: [...RG, `${WORD}\\(\\d+\\)`, tree] },
      bar: 1.2,
      isWhole: isSearched,
    },
    {
      name: 'search for a regular expression without one',
      tool: 'search_content',
      ours: { path: tree, pattern: '[a-z]+[A-Z]\\w+[A-Z]\\w+\\(\\d+\\)', regex: true },
      native: { rg: [...RG, '[a-z]+[A-Z]\\w+[A-Z]\\w+\\(\\d+\\)', tree] },
      isWhole: isSearched,
    },
  ];
}

function workOnLines(log) {
  return [
    {
      name: `last ${TAIL} lines of 1 GiB`,
      tool: 'read_text_file',
      ours: { path: log, tail: TAIL },
      theirs: { path: log, tail: TAIL },
      native: { tail: ['tail', '-n', `${TAIL}`, log] },
      bar: 2.5,
      isWhole: ({ content }) => content[0].text.split('\n').length === TAIL + 1,
    },
    {
      name: `line ${LINE} of 1 GiB`,
      tool: 'read_text_file',
      ours: { path: log, offset: LINE - 1, limit: 1 },
      native: { sed: ['sed', '-n', `${LINE}{p;q}`, log] },
      bar: 1.2,
      isWhole: ({ content }) => content[0].text.startsWith('2026'),
    },
  ];
}

function isSearched({ structuredContent: { stats, matches, truncated } }) {
  return stats.files === FILES && matches.length > FILES / 200 && !truncated;
}
