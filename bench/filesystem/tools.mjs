import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { byTool, measure, ratioOf } from '../measuring/measure.mjs';

/**
 * Measures calls of the tools that both servers have, except the calls in `work.mjs`. For writes, mcp-fs waits until the data is
 * on the disk; the reference does not.
 */
export async function toolRows({ ours, theirs }, ground, rounds) {
  const rows = [];
  for (const { tool, note, args, limit } of toolsOn(ground)) {
    const ways = { ours: byTool(ours, tool, limit ? { ...args, limit } : args), theirs: byTool(theirs, tool, args) };
    const measured = await measure(ways, rounds);
    const ratio = ratioOf(measured.ours, measured.theirs);
    rows.push([`${tool}${note && `, ${note}`}`, measured.ours.ms.toFixed(1), measured.theirs.ms.toFixed(1), ratio.toFixed(2)]);
  }
  return {
    heading: 'The other tools of the reference: milliseconds of a call',
    header: ['', 'mcp-fs', 'reference', 'ratio of mcp-fs'],
    rows,
    bars: [],
  };
}

/**
 * Lists calls of the reference's tools that `work.mjs` does not measure, with the same arguments for both servers. Each call that
 * creates or moves a file uses new names.
 */
function toolsOn({ list, source, scratch }) {
  let made = 0;
  const next = () => join(scratch, `${(made += 1)}.txt`);
  const files = Array.from({ length: 20 }, (_, index) => join(scratch, `part-${index}.txt`));
  for (const file of files) writeFileSync(file, 'a line of text\n'.repeat(500));
  const picture = join(scratch, 'picture.png');
  writeFileSync(picture, Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(1_000_000)]));
  const edited = join(scratch, 'edited.ts');
  copyFileSync(files[0], edited);
  const text = 'a line of text\n'.repeat(500);
  return [
    { tool: 'read_text_file', note: '1 MiB', args: { path: source } },
    { tool: 'read_media_file', note: '1 MB', args: { path: picture } },
    { tool: 'read_multiple_files', note: '20 of 7 kB', args: { paths: files } },
    { tool: 'write_file', note: '7 kB, new', args: () => ({ path: next(), content: text }) },
    { tool: 'edit_file', note: '7 kB', args: () => editOf(edited) },
    { tool: 'create_directory', note: '', args: () => ({ path: next() }) },
    { tool: 'move_file', note: '', args: () => moveOf(next(), next()) },
    { tool: 'list_directory', note: '10,000 entries', args: { path: list }, limit: 10_000 },
    { tool: 'get_file_info', note: '', args: { path: source } },
    { tool: 'list_allowed_directories', note: '', args: {} },
  ];
}

function editOf(file) {
  writeFileSync(file, `here it is\n${'a line of text\n'.repeat(500)}`);
  return { path: file, edits: [{ oldText: 'here it is', newText: 'there it was' }] };
}

function moveOf(source, destination) {
  writeFileSync(source, 'to be moved');
  return { source, destination };
}
