import { byProgram, byTool, measure, ratioOf } from './measure.mjs';
import { versionOf } from './native.mjs';
import { workOn } from './work.mjs';

const OURS = 'mcp-fs';

/** What is asked for most, against the system's programs, whose time begins with starting them. */
export async function workRows({ ours, theirs }, ground, rounds) {
  const done = [];
  for (const work of workOn(ground)) done.push({ work, ways: await measure(waysOf(work, { ours, theirs }), rounds) });
  return {
    heading: 'Milliseconds of a call, and how many of them on a processor',
    header: ['', 'by', 'ms', 'processor', 'mcp-fs of it'],
    rows: done.flatMap(rowsOf),
    bars: done.flatMap(barOf),
  };
}

function waysOf(work, { ours, theirs }) {
  const native = Object.entries(work.native).filter(([, [command]]) => versionOf(command) !== undefined);
  return {
    [OURS]: byTool(ours, work.tool, work.ours, work.isWhole),
    ...Object.fromEntries(native.map(([name, command]) => [name, byProgram(command)])),
    ...(work.theirs && { reference: byTool(theirs, work.tool, work.theirs) }),
  };
}

function rowsOf({ work, ways }) {
  return Object.entries(ways).map(([name, way], index) => [
    index === 0 ? work.name : '',
    name,
    way.ms.toFixed(1),
    way.busyMs.toFixed(0),
    name === OURS ? '' : ratioOf(ways[OURS], way).toFixed(2),
  ]);
}

function barOf({ work: { name, native, bar }, ways }) {
  if (bar === undefined) return [];
  const [peer] = Object.keys(native);
  if (ways[peer] === undefined) return [{ text: `${name}: ${native[peer][0]} is not installed`, met: false }];
  const ratio = ratioOf(ways[OURS], ways[peer]);
  return [{ text: `${name}: at most ${bar} of ${peer}: ${ratio.toFixed(2)}`, met: ratio <= bar }];
}
