// Loaded into a server by `--import`: reports which of the workspace's modules run functions between two messages of the parent process.
import { Session } from 'node:inspector/promises';
import { isMainThread } from 'node:worker_threads';

const root = process.env.MCP_CALL_PATH_ROOT;
const OWN_MODULE = /^((?:packages|servers)\/[^/]+)\/dist\/(.+)\.js$/;

if (isMainThread && root !== undefined) {
  const session = new Session();
  session.connect();
  const scripts = new Map();
  session.on('Debugger.scriptParsed', ({ params }) => scripts.set(params.scriptId, params));
  await session.post('Debugger.enable');
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  let executed = [];
  const order = new Set();
  globalThis.mcpCallPath = (file) => {
    order.add(file);
    return false;
  };
  const commands = {
    async begin(kind) {
      if (kind === 'coverage') return void (await session.post('Profiler.takePreciseCoverage'));
      for (const { scriptId, file, ranges } of executed) for (const range of ranges) await noteFirstRun(scriptId, file, range);
      order.clear();
    },
    async end(kind) {
      if (kind === 'order') return { files: [...order, ...executed.map(({ file }) => file).filter((file) => !order.has(file))] };
      executed = executedFunctions((await session.post('Profiler.takePreciseCoverage')).result);
    },
  };
  const obey = async ([[name, kind]]) => process.send((await commands[name](kind)) ?? {});
  process.on('message', (message) => void obey(Object.entries(message)));
  process.channel.unref();

  /** Sets a breakpoint whose condition records the file and is false, so that the program never stops. */
  async function noteFirstRun(scriptId, file, { startOffset, endOffset }) {
    const positionOf = await positions(scriptId);
    const [start, end] = [startOffset, endOffset].map((offset) => ({ scriptId, ...positionOf(offset) }));
    const { locations } = await session.post('Debugger.getPossibleBreakpoints', { start, end, restrictToFunction: true });
    if (locations.length === 0) return;
    const condition = `mcpCallPath(${JSON.stringify(file)})`;
    // Two functions may begin at the same location, which accepts only one breakpoint.
    await session.post('Debugger.setBreakpoint', { location: locations[0], condition }).catch(() => undefined);
  }

  async function positions(scriptId) {
    const { scriptSource } = await session.post('Debugger.getScriptSource', { scriptId });
    return (offset) => {
      const before = scriptSource.slice(0, offset).split('\n');
      return { lineNumber: before.length - 1, columnNumber: before.at(-1).length };
    };
  }
}

/**
 * Returns the scripts of the workspace in which functions ran, each with the name of its source file and the ranges of these
 * functions.
 */
function executedFunctions(result) {
  return result.flatMap(({ scriptId, url, functions }) => {
    const [, folder, name] = (url.startsWith(root) && OWN_MODULE.exec(url.slice(root.length))) || [];
    const ranges = functions.flatMap(({ ranges: [range] }) => (range.count > 0 ? [range] : []));
    return name === undefined || ranges.length === 0 ? [] : [{ scriptId, file: `${folder}/src/${name}.ts`, ranges }];
  });
}
