/**
 * Returns the code blocks of a Markdown text. The text after the opening backticks contains the language, and for a file its path
 * in brackets: `ts [src/server.ts]`.
 */
export function readBlocks(text) {
  const blocks = [];
  for (const { 1: indent, 2: language, 3: path, 4: code, index } of text.matchAll(
    /^( *)```([^\s`]*)(?: \[([^\]]+)\])?[^\n`]*\n(.*?)^ *```[ \t]*$/gms,
  )) {
    const line = text.slice(0, index).split('\n').length;
    blocks.push({ language, path, line, code: indent === '' ? code : code.replaceAll(new RegExp(`^${indent}`, 'gm'), '') });
  }
  return blocks;
}
