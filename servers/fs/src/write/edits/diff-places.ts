/** Lines that changed, with lines around them; begins at the given lines of both texts. */
export interface Hunk {
  readonly oldStart: number;
  readonly newStart: number;
  /** Each begins with a space, `-` or `+`; `\` begins a remark about the line before. */
  readonly lines: readonly string[];
}

/** How much of a place is shown. */
export interface PlaceForm {
  /** Maximum number of removed and of added lines of one place. */
  readonly maxLines: number;
  /** Characters of a line; a longer line is shown around its change. */
  readonly maxLength: number;
  readonly hasContext: boolean;
}

interface Block {
  readonly context: string[];
  readonly removed: string[];
  readonly added: string[];
}

/** Splits a hunk into places; each has removed lines together with the added lines that replace them. */
export function placesOf({ oldStart, newStart, lines }: Hunk, form: PlaceForm): readonly Hunk[] {
  const places: Hunk[] = [];
  let oldLine = oldStart;
  let newLine = newStart;
  for (const { context, removed, added } of blocksOf(lines)) {
    const shown = form.hasContext ? context : [];
    const start = { oldStart: oldLine + context.length - shown.length, newStart: newLine + context.length - shown.length };
    places.push(...piecesOf({ context: shown, removed, added }, start, form));
    oldLine += context.length + removed.length;
    newLine += context.length + added.length;
  }
  return places;
}

/** The hunk in the form of `diff -u`. */
export function textOf({ oldStart, newStart, lines }: Hunk): string {
  const count = (other: string): number => lines.filter((line) => !line.startsWith(other) && !line.startsWith('\\')).length;
  return [`@@ -${oldStart},${count('+')} +${newStart},${count('-')} @@`, ...lines].join('\n');
}

/** Lines after the last change are left out. */
function blocksOf(lines: readonly string[]): readonly Block[] {
  const blocks: Block[] = [];
  let block: Block = { context: [], removed: [], added: [] };
  for (const line of lines) {
    if (line.startsWith('\\')) continue;
    const isOver = block.added.length > 0 || (block.removed.length > 0 && !line.startsWith('+'));
    if (isOver && line.startsWith(' ')) {
      blocks.push(block);
      block = { context: [], removed: [], added: [] };
    }
    listOf(block, line).push(line);
  }
  return block.removed.length + block.added.length > 0 ? [...blocks, block] : blocks;
}

function listOf({ context, removed, added }: Block, line: string): string[] {
  if (line.startsWith('-')) return removed;
  return line.startsWith('+') ? added : context;
}

function piecesOf(
  { context, removed, added }: Block,
  { oldStart, newStart }: Omit<Hunk, 'lines'>,
  { maxLines, maxLength }: PlaceForm,
): readonly Hunk[] {
  const pieces: Hunk[] = [];
  for (let index = 0; index < Math.max(removed.length, added.length); index += maxLines) {
    const old = removed.slice(index, index + maxLines);
    const changed = added.slice(index, index + maxLines);
    const before = index === 0 ? context : [];
    const skipped = (list: readonly string[]): number => (index === 0 ? 0 : context.length + Math.min(index, list.length));
    pieces.push({
      oldStart: oldStart + skipped(removed),
      newStart: newStart + skipped(added),
      lines: [
        ...before.map((line) => excerpt(line, '', maxLength)),
        ...old.map((line, at) => excerpt(line, changed[at] ?? '', maxLength)),
        ...changed.map((line, at) => excerpt(line, old[at] ?? '', maxLength)),
      ],
    });
  }
  return pieces;
}

/** Keeps the sign and the part of a line in which it begins to differ from another. */
function excerpt(line: string, other: string, maxLength: number): string {
  if (line.length <= maxLength) return line;
  let same = 1;
  while (same < other.length && line[same] === other[same]) same += 1;
  const wanted = other === '' ? 1 : same - Math.floor(maxLength / 4);
  const from = characterAt(line, Math.max(1, Math.min(wanted, line.length - maxLength)));
  const end = characterAt(line, Math.min(line.length, from + maxLength));
  return `${line[0]}${from > 1 ? '…' : ''}${line.slice(from, end)}${end < line.length ? '…' : ''}`;
}

/** Returns the position itself, or the one before if a surrogate pair would be torn. */
function characterAt(text: string, position: number): number {
  const isLow = (text.charCodeAt(position) & 0xfc00) === 0xdc00;
  return isLow && (text.charCodeAt(position - 1) & 0xfc00) === 0xd800 ? position - 1 : position;
}
