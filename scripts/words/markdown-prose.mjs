const FENCED = /^(```|~~~)[^\n]*\n.*?^\1[ \t]*$/gms;
const FRONT_MATTER = /^---\n.*?^---$/ms;
const COMMENT = /<!--.*?-->/gs;

/** Matches the line break before a new passage: a heading, an item of a list, a row of a table, a quote or an empty line. */
const BLOCK_START = /\n(?=[ \t]*(?:#|[-*+] |\d+[.)] |\||>|\n|$))/;

/**
 * Returns the passages of a page that people read, each with its offset in the text. Code, URLs and front matter are
 * omitted.
 */
export function markdownProse(page) {
  const blank = (found) => found.replace(/[^\n]/g, ' ');
  const text = (page.startsWith('---\n') ? page.replace(FRONT_MATTER, blank) : page)
    .replace(FENCED, blank)
    .replace(COMMENT, blank);
  const passages = [];
  let offset = 0;
  for (const block of text.split(BLOCK_START)) {
    for (const cell of cellsOf(block))
      passages.push({ offset: offset + (block.length - block.trimStart().length), text: plain(cell) });
    offset += block.length + 1;
  }
  return passages.filter(({ text: passage }) => passage !== '');
}

function cellsOf(block) {
  return block.trimStart().startsWith('|') ? block.split(/(?<!\\)\|/) : [block];
}

/** Replaces links by their text, and removes emphasis and the marks of headings, lists and quotes. */
function plain(block) {
  return block
    .replace(/`[^`]*`/g, '`…`')
    .replace(/!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replace(/^[ \t]*(?:#+|[-*+]|\d+[.)]|>)[ \t]+/gm, '')
    .replace(/\*\*|__/g, '')
    .trim();
}
