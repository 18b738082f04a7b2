import { Log } from '../../src/process/log.ts';

/** Creates a log of all levels, and the list of its lines without their times. */
export function recordedLog(): { readonly log: Log; readonly lines: readonly string[] } {
  const lines: string[] = [];
  const write = (line: string): number => lines.push(line.slice(line.indexOf(' ') + 1).trimEnd());
  return { log: new Log({ level: 'debug', format: 'text', write }), lines };
}
