import { quoteCString } from './c-string.ts';
import type { Change } from './status.ts';

/** A section of a patch: the patch of one file, or one half of it if the type of the file changed. */
export interface PatchSection {
  /** The file; `undefined` if the header of the section is unknown. */
  readonly file: DiffFile | undefined;
  readonly patch: Buffer;
}

const NEWLINE = 0x0a;
/**
 * Maximum number of bytes of an incomplete line that are buffered. If a longer header line, which contains two paths, is split
 * between chunks, its file is unknown.
 */
const MAX_HEADER = 32_768;

/** Splits a patch into the sections of its files. It may be fed in chunks of any size. */
export class PatchReader {
  readonly #headers: ReadonlyMap<string, DiffFile>;
  readonly #isKept: (path: string) => boolean;
  readonly #sections: { file: DiffFile | undefined; kept: boolean; pieces: Buffer[] }[] = [];
  #rest: Buffer = Buffer.alloc(0);
  #isMidLine = false;
  #bytes = 0;

  /**
   * @param headers maps each line that may start a section to the file of that section
   * @param isKept whether the patch of a file is kept
   */
  constructor(headers: ReadonlyMap<string, DiffFile>, isKept: (path: string) => boolean) {
    this.#headers = headers;
    this.#isKept = isKept;
  }

  /** Size of the sections that were kept, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Sections that were kept. The last section may be incomplete. */
  get sections(): readonly PatchSection[] {
    return this.#sections.filter(({ kept }) => kept).map(({ file, pieces }) => ({ file, patch: Buffer.concat(pieces) }));
  }

  /** File of the current section. */
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

  /** Ends the input, and handles a last line without a line ending. */
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

// All other lines of a patch start with a prefix character, so the content of a file cannot look like a header.
const SECTION = /^(?:diff --|\* Unmerged path )/;
const LONGEST_SECTION = 16;

function beginsSection(line: Buffer): boolean {
  return SECTION.test(line.toString('latin1', 0, LONGEST_SECTION));
}

/** A file in the header of a section, with paths in Latin-1. */
interface NamedFile {
  readonly path: string;
  /** Path before a rename. */
  readonly original: string | undefined;
  /** Whether the file has a combined diff. */
  readonly combined: boolean;
}

/** Returns the lines with which git may start the section of a file. */
export function buildHeaders({ path, original = path, combined }: NamedFile): readonly string[] {
  if (combined) return [`diff --cc ${quoteCString(path)}`];
  return [`diff --git ${quoteCString(`a/${original}`)} ${quoteCString(`b/${path}`)}`, `* Unmerged path ${path}`];
}

/** A file of a diff. */
export interface DiffFile {
  /** Path relative to the top of the work tree, with `/` as the separator. */
  readonly path: string;
  /** Path before a rename. */
  readonly original_path?: string;
  readonly status: Change | 'conflict';
  /** Number of added lines; absent for a binary file, and if lines were not counted. */
  readonly added?: number;
  readonly removed?: number;
  readonly binary?: true;
}
