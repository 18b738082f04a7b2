import { byProgram, byTool } from '../measuring/measure.mjs';
import { versionOf } from '../measuring/native.mjs';
import { workRows } from '../measuring/work-rows.mjs';
import { workOn } from './work.mjs';

const OURS = 'mcp-fs';
const HEADING = 'Milliseconds of a call, and CPU time';

/** Compares the most frequent calls with programs of the system, whose time includes their start. */
export function filesystemRows(servers, ground, rounds) {
  const works = workOn(ground).map((work) => ({ name: work.name, ways: waysOf(work, servers), bars: barsOf(work) }));
  return workRows({ own: OURS, heading: HEADING }, works, rounds);
}

function waysOf(work, { ours, theirs }) {
  const native = Object.entries(work.native).filter(([, [command]]) => versionOf(command) !== undefined);
  return {
    [OURS]: byTool(ours, work.tool, work.ours, work.isWhole),
    ...Object.fromEntries(native.map(([name, command]) => [name, byProgram(command)])),
    ...(work.theirs && { reference: byTool(theirs, work.tool, work.theirs) }),
  };
}

function barsOf({ native, bar }) {
  return bar === undefined ? [] : [{ of: Object.keys(native)[0], times: bar }];
}
