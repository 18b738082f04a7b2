/** The used part of the Emscripten module of libpg_query. The package itself declares only its wrapper. */
declare module 'libpg-query/wasm/libpg-query.js' {
  export interface ParserModule {
    readonly HEAPU8: Uint8Array;
    _malloc(bytes: number): number;
    _free(pointer: number): void;
    /** Returns a pointer to the pointers of the tree as JSON, the messages, and the error. */
    _wasm_parse_query_raw(text: number): number;
    _wasm_free_parse_result(result: number): void;
    /** Returns a pointer to the fingerprint, or to an error message. */
    _wasm_fingerprint(text: number): number;
    _wasm_free_string(text: number): void;
    lengthBytesUTF8(text: string): number;
    stringToUTF8(text: string, pointer: number, bytes: number): void;
    UTF8ToString(pointer: number): string;
    getValue(pointer: number, type: 'i32'): number;
  }

  export interface ParserOptions extends Readonly<Record<'print' | 'printErr', (line: string) => void>> {
    /** Returns the path of a file of the module. */
    readonly locateFile: (name: string) => string;
  }

  export default function load(options: ParserOptions): Promise<ParserModule>;
}
