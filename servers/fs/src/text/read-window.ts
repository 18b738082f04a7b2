import { readBackward } from './read-backward.ts';
import { readForward } from './read-forward.ts';
import type { Source } from './source.ts';
import type { LineRange, Window, WindowOptions } from './window.ts';

/** Reads a window of lines of a source without loading the rest. Stops at `signal`, rejecting with its reason. */
export function readWindow(source: Source, range: LineRange, options: WindowOptions): Promise<Window> {
  return range.from === 'start' ? readForward(source, range, options) : readBackward(source, range.limit, options);
}
