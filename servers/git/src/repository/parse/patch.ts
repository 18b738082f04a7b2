import type { DiffFile } from './diff.ts';

/** A part of a patch: one file's, or one half of a file that changed its type. */
export interface PatchSection {
  /** `undefined` where git names it in a way that is not understood. */
  readonly file: DiffFile | undefined;
  readonly patch: Buffer;
}

const NEWLINE = 0x0a;
/** Longer lines begin no section: a header holds two paths. */
const MAX_HEADER = 32_768;

/** Splits a patch into the sections of its files, in whatever parts it comes. */
export class PatchReader {
  readonly #headers: ReadonlyMap<string, DiffFile>;
  readonly #isKept: (path: string) => boolean;
  readonly #sections: { file: DiffFile | undefined; kept: boolean; pieces: Buffer[] }[] = [];
  #rest: Buffer = Buffer.alloc(0);
  #isMidLine = false;
  #bytes = 0;

  /**
   * @param headers the files, by the lines that may begin their sections
   * @param isKept whether the patch of a file is wanted
   */
  constructor(headers: ReadonlyMap<string, DiffFile>, isKept: (path: string) => boolean) {
    this.#headers = headers;
    this.#isKept = isKept;
  }

  /** Bytes of the patch that are kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Sections that are kept; the last one may be cut. */
  get sections(): readonly PatchSection[] {
    return this.#sections.filter(({ kept }) => kept).map(({ file, pieces }) => ({ file, patch: Buffer.concat(pieces) }));
  }

  /** The file whose section was read last. */
  get file(): DiffFile | undefined {
    return this.#sections.at(-1)?.file;
  }

  feed(chunk: Buffer): void {
    const bytes = Buffer.concat([this.#rest, chunk]);
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      this.#take(bytes.subarray(start, end + 1));
      this.#isMidLine = false;
      start = end + 1;
    }
    this.#rest = bytes.subarray(start);
    if (this.#rest.length <= MAX_HEADER) return;
    this.#take(this.#rest);
    this.#isMidLine = true;
    this.#rest = Buffer.alloc(0);
  }

  /** The patch is complete: its last line may have no end. */
  finish(): void {
    if (this.#rest.length > 0) this.#take(this.#rest);
    this.#rest = Buffer.alloc(0);
  }

  #take(piece: Buffer): void {
    if (!this.#isMidLine && beginsSection(piece)) {
      const file = this.#headers.get(piece.toString('latin1').replace(/\n$/, ''));
      this.#sections.push({ file, kept: file === undefined || this.#isKept(file.path), pieces: [] });
    }
    const section = this.#sections.at(-1);
    if (section?.kept !== true) return;
    section.pieces.push(piece);
    this.#bytes += piece.length;
  }
}

// Every other line of a patch begins with a character of its own: no content can look like these.
const SECTION = /^(?:diff --|\* Unmerged path )/;
const LONGEST_SECTION = 16;

function beginsSection(line: Buffer): boolean {
  return SECTION.test(line.toString('latin1', 0, LONGEST_SECTION));
}

/** A file of which git names the patch; its paths are bytes as Latin-1. */
interface NamedFile {
  readonly path: string;
  /** Before a rename. */
  readonly original: string | undefined;
  /** It differs from more than one other. */
  readonly combined: boolean;
}

/** How git may begin the patch of a file. */
export function headersOf({ path, original = path, combined }: NamedFile): readonly string[] {
  if (combined) return [`diff --cc ${cQuoted(path)}`];
  return [`diff --git ${cQuoted(`a/${original}`)} ${cQuoted(`b/${path}`)}`, `* Unmerged path ${path}`];
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\u0007': 'a',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
  '"': '"',
  '\\': '\\',
};

/** A name with control characters as git writes it, even with `core.quotePath` off. */
function cQuoted(name: string): string {
  // oxlint-disable-next-line no-control-regex -- they are what git quotes
  const special = /[\u0000-\u001F\u007F"\\]/g;
  if (!special.test(name)) return name;
  const escaped = name.replaceAll(special, (character) => {
    const octal = character.charCodeAt(0).toString(8).padStart(3, '0');
    return `\\${ESCAPES[character] ?? octal}`;
  });
  return `"${escaped}"`;
}
